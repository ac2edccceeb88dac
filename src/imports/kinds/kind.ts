import type { Ctx } from '../../platform/base.ts';
import { type FoundFault, walkFaults } from '../../platform/errors.ts';
import type { Parsed } from '../../platform/http/form.ts';
import type { Queryable, Transaction } from '../../platform/postgres/connect.ts';
import type { SheetField } from '../../platform/spreadsheets/fields.ts';
import type { AccountAct } from '../../users/index.ts';

/** Nouns that rows can become. */
export const kindNames = [
  'payment_request',
  'qr',
  'debit_request',
  'card_debit_request',
  'adhesion',
] as const;
export type KindName = (typeof kindNames)[number];

/** Acts required to see, run or undo an import of each kind. */
export const kindActs = {
  payment_request: {
    see: 'requests.see',
    create: 'requests.create',
    withdraw: 'requests.withdraw',
  },
  qr: { see: 'qr.see', create: 'qr.create', withdraw: 'qr.edit' },
  debit_request: { see: 'debits.see', create: 'debits.create', withdraw: 'debits.cancel' },
  card_debit_request: { see: 'debits.see', create: 'debits.create', withdraw: 'debits.cancel' },
  adhesion: { see: 'mandates.see', create: 'mandates.create', withdraw: 'mandates.cancel' },
} as const satisfies Record<KindName, Record<'see' | 'create' | 'withdraw', AccountAct>>;

/** A valid row, or all its faults. */
export type CheckedRow<I> = { ok: true; input: I } | { ok: false; faults: FoundFault[] };

/** Converts the result of a noun's form to a row's check. */
export const checkedBy = <I>(read: Parsed<I>): CheckedRow<I> =>
  read.ok
    ? { ok: true, input: read.value }
    : { ok: false, faults: walkFaults(read.children ?? {}) };

export interface Made {
  id: number;
  /** Runs after the creating transaction is committed. */
  follow?(): Promise<void>;
}

export type CheckRow<I> = (body: Record<string, unknown>) => CheckedRow<I> | Promise<CheckedRow<I>>;

/** An entity that rows can become, with its rules. */
export interface ImportKind<I> {
  name: KindName;
  fields: readonly SheetField[];
  /** The field whose sum the review shows. Null for a kind without amounts. */
  amount: string | null;
  /** Throws if this deployment cannot create such entities. */
  refuseUnlessOffered?(): void;
  /** Returns the noun's own check of rows, with its dependencies read now. */
  checker(accountId: string): Promise<CheckRow<I>>;
  /** Returns the account's own reference of the new entity, or null. */
  referenceOf(input: I): string | null;
  /** Returns which of the references exist, with the ids of their entities. */
  existing(
    sql: Queryable,
    accountId: string,
    references: readonly string[],
  ): Promise<Map<string, number>>;
  /**
   * Returns a result row's links by column name, such as its checkout. The names are the same for
   * every id.
   */
  links(accountId: string, id: number): Record<string, string>;
}

export interface ImportMaker<I> {
  /** Creates all inputs in the transaction. Returns a refusal for each invalid one. */
  create(tx: Transaction, ctx: Ctx, inputs: readonly I[]): Promise<(Made | Error)[]>;
  /** Withdraws the unpaid ones, and returns their ids. */
  withdraw(
    tx: Transaction,
    ctx: Ctx,
    withdrawal: { ids: readonly number[]; eventIds: readonly number[]; comment: string },
  ): Promise<number[]>;
}

/** All kinds by name. Each receives only inputs that it has read itself. */
export type Kinds = Readonly<Record<KindName, ImportKind<unknown>>>;
export type Makers = Readonly<Record<KindName, ImportMaker<unknown>>>;
