import type { Centavos } from '../kernel/money.ts';
import type { LocalizedText } from '../language/localized-text.ts';
import type { Actor } from '../platform/actor.ts';
import type { Matched } from '../platform/spreadsheets/headings.ts';
import type { TableLimits } from '../platform/spreadsheets/limits.ts';
import type { Note, WayRead } from '../platform/spreadsheets/table.ts';
import type { KindName } from './kinds/kind.ts';

export type { Matched };

/** States of an import. A draft is confirmed, then workers complete it. */
export type ImportState =
  | 'draft'
  | 'discarded'
  | 'running'
  | 'completed'
  | 'failed'
  | 'undoing'
  | 'undone';

/** Transitions of an import. Of two concurrent ones, the database admits one. */
export const importMoves = {
  read: { from: ['draft'], to: 'draft', event: 'read_again' },
  match: { from: ['draft'], to: 'draft', event: 'matched' },
  discard: { from: ['draft'], to: 'discarded', event: 'discarded' },
  // A failed one continues where it stopped.
  confirm: { from: ['draft', 'failed'], to: 'running', event: 'confirmed' },
  complete: { from: ['running'], to: 'completed', event: 'completed' },
  fail: { from: ['running'], to: 'failed', event: 'failed' },
  undo: { from: ['running', 'completed', 'failed'], to: 'undoing', event: 'undo_asked' },
  finishUndo: { from: ['undoing'], to: 'undone', event: 'undone' },
} as const satisfies Record<
  string,
  { from: readonly ImportState[]; to: ImportState; event: string }
>;

export type ImportMove = keyof typeof importMoves;

export interface ImportKey {
  accountId: string;
  id: number;
}

/** A spreadsheet whose rows become requests or mandates. */
export interface Import {
  account_id: string;
  id: number;
  kind: KindName;
  state: ImportState;
  version: number;
  created_at: Temporal.Instant;
  file_name: string;
  sha256: Buffer;
  columns: string[];
  notes: Note[];
  /** The options used to read the file, and the alternatives. */
  way: WayRead;
  matched: Matched;
  row_count: number;
  page_count: number;
  /** Null while required fields have no column. */
  faulty_count: number | null;
  existing_count: number | null;
  /** Sum of all rows. Null until they are checked, and for kinds without amounts. */
  rows_amount: Centavos | null;
  /** Rows that the sum leaves out, because their amount is missing or not a number. */
  unread_amounts: number | null;
  /** Sum of the rows that would be created. */
  sound_amount: Centavos | null;
  repeats_too: boolean;
  /** The user or key that confirmed it, or started to undo it. Null until then. */
  actor: Actor | null;
  comment: string | null;
  next_page: number;
  undone_page: number;
  created: number;
  rejected: number;
  skipped: number;
  withdrawn: number;
  /** Why it failed. */
  error: string | LocalizedText | null;
  tries: number;
}

export const keyOf = (one: Pick<Import, 'account_id' | 'id'>): ImportKey => ({
  accountId: one.account_id,
  id: one.id,
});

export const importEntity = 'import';

/** Largest spreadsheet, in bytes. */
export const largestFile = 16 * 1024 * 1024;
export const tableLimits: TableLimits = { rows: 50_000, columns: 100 };

/** Maximum number of an account's drafts that await confirmation. */
export const mostDrafts = 50;
