import type { LocalizedText } from '../language/localized-text.ts';
import { type Actor, actorText, readActor } from '../platform/actor.ts';
import type { JobTable } from '../platform/imports/jobs.ts';
import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import { readStoredText, storedText } from '../platform/refusals.ts';
import type { Table } from '../platform/spreadsheets/table.ts';
import { refusal } from './codes.ts';
import {
  type Import,
  type ImportKey,
  type ImportMove,
  importMoves,
  keyOf,
  type Matched,
} from './import.ts';
import type { KindName } from './kinds/kind.ts';
import { dropPages, pagesAtOnce } from './store-pages.ts';
import type { Sums } from './sums.ts';

type Fragment = ReturnType<Queryable>;

/**
 * Selects a sum. Null for a draft last matched by a process of an older release, which does not
 * compute sums. Confirmation clears such sums.
 */
const sumOfDraft = (sql: Queryable, name: string): Fragment => sql`
  case when state <> 'draft' or sums_version = version then ${sql(name)} end as ${sql(name)}`;

const importColumns = (sql: Queryable) => sql`
  account_id, id, kind, state, version, created_at, file_name, sha256, columns, notes, way, matched,
  row_count, page_count, faulty_count, existing_count, ${sumOfDraft(sql, 'rows_amount')},
  ${sumOfDraft(sql, 'unread_amounts')}, ${sumOfDraft(sql, 'sound_amount')}, repeats_too, actor, comment, next_page, undone_page, created, rejected, skipped, withdrawn,
  error, tries`;

type Stored = Omit<Import, 'columns' | 'notes' | 'way' | 'matched' | 'actor' | 'error'> &
  Record<'columns' | 'notes' | 'way' | 'matched', string> &
  Record<'actor' | 'error', string | null>;

const importOf = (row: Stored): Import => ({
  ...row,
  columns: JSON.parse(row.columns),
  notes: JSON.parse(row.notes),
  way: JSON.parse(row.way),
  matched: JSON.parse(row.matched),
  actor: row.actor === null ? null : readActor(row.actor),
  error: row.error === null ? null : readStoredText(row.error),
});

/** Imports as jobs of `importWorker`. */
export const importJobs: JobTable<Import, Stored> = {
  name: 'imports',
  columns: importColumns,
  jobOf: importOf,
};

const firstOf = (rows: readonly Stored[]): Import | null => (rows[0] ? importOf(rows[0]) : null);

export type NewImport = Pick<
  Import,
  | 'account_id'
  | 'id'
  | 'kind'
  | 'created_at'
  | 'file_name'
  | 'sha256'
  | 'columns'
  | 'notes'
  | 'way'
  | 'row_count'
>;

/** Stores a draft with its pages. Returns null if a draft of the same file exists. */
export async function insertImport(
  tx: Transaction,
  one: NewImport,
  pages: readonly string[],
): Promise<Import | null> {
  const made = firstOf(
    await tx<Stored[]>`
    insert into imports (account_id, id, kind, state, version, created_at, file_name, sha256,
      columns, notes, way, matched, row_count, page_count)
    values (${one.account_id}, ${one.id}, ${one.kind}, 'draft', 1, ${one.created_at}::timestamptz,
      ${one.file_name}, ${one.sha256}, ${JSON.stringify(one.columns)},
      ${JSON.stringify(one.notes)}, ${JSON.stringify(one.way)}, '{}', ${one.row_count}, ${pages.length})
    on conflict (account_id, kind, sha256) where state = 'draft' do nothing
    returning ${importColumns(tx)}`,
  );
  if (made) await storePages(tx, keyOf(made), pages);
  return made;
}

export async function storePages(
  tx: Transaction,
  { accountId, id }: ImportKey,
  pages: readonly string[],
): Promise<void> {
  for (let from = 0; from < pages.length; from += pagesAtOnce) {
    await tx`
      insert into import_pages (account_id, import_id, no, rows)
      select ${accountId}, ${id}, ${from}::int + no - 1, rows
      from unnest(${pages.slice(from, from + pagesAtOnce)}::text[]) with ordinality as page (rows, no)`;
  }
}

export async function readImport(
  sql: Queryable,
  { accountId, id }: ImportKey,
): Promise<Import | null> {
  return firstOf(
    await sql<Stored[]>`
    select ${importColumns(sql)} from imports where account_id = ${accountId} and id = ${id}`,
  );
}

/** Reads an import. Throws 404 if the account has none with this id. */
export async function findImport(sql: Queryable, key: ImportKey): Promise<Import> {
  const one = await readImport(sql, key);
  if (!one) throw refusal('import.not_found', {});
  return one;
}

/** Reads a draft. Throws 404 for an unknown import, 409 if it is no longer a draft. */
export async function findDraft(sql: Queryable, key: ImportKey): Promise<Import> {
  const one = await findImport(sql, key);
  if (one.state !== 'draft') {
    throw refusal('import.wrong_state', { state: one.state, allowed: 'draft' });
  }
  return one;
}

/**
 * Reads the other imports of a file: another draft, and the last confirmed one that was not undone.
 */
export async function readSameFile(
  sql: Queryable,
  { account_id, id, kind, sha256 }: Pick<Import, 'account_id' | 'id' | 'kind' | 'sha256'>,
): Promise<{ draft: Import | null; done: Import | null }> {
  const rows = await sql<Stored[]>`
    select ${importColumns(sql)} from imports
    where account_id = ${account_id} and sha256 = ${sha256} and kind = ${kind} and id <> ${id}
      and state <> all('{discarded,undone}'::text[])
    order by id desc limit 100`;
  const all = rows.map(importOf);
  return {
    draft: all.find(({ state }) => state === 'draft') ?? null,
    done: all.find(({ state }) => state !== 'draft') ?? null,
  };
}

/** Returns an account's imports, newest first. Omits discarded ones. */
export async function readImports(
  sql: Queryable,
  accountId: string,
  { before, limit }: { before: number; limit: number },
): Promise<Import[]> {
  const rows = await sql<Stored[]>`
    select ${importColumns(sql)} from imports
    where account_id = ${accountId} and id < ${before} and state <> 'discarded'
    order by id desc limit ${limit}`;
  return rows.map(importOf);
}

export async function countDrafts(sql: Queryable, accountId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from imports
    where account_id = ${accountId} and state = 'draft'`;
  return row?.count ?? 0;
}

/** Columns that a move writes besides the state. `seen` is the version that its caller read. */
export interface MoveTerms {
  set?: Fragment;
  seen?: number;
}

/** Moves an import if its state allows it, else returns null. */
export async function moveImport(
  tx: Queryable,
  { accountId, id }: ImportKey,
  move: ImportMove,
  { set, seen }: MoveTerms = {},
): Promise<Import | null> {
  const { from, to } = importMoves[move];
  return firstOf(
    await tx<Stored[]>`
    update imports set state = ${to}, version = version + 1 ${set ?? tx``}
    where account_id = ${accountId} and id = ${id} and state = any(${[...from]}::text[])
      ${seen === undefined ? tx`` : tx`and version = ${seen}`}
    returning ${importColumns(tx)}`,
  );
}

/** Resets the columns of a new reading of the file, because nothing is matched or checked yet. */
export const readSet = (
  sql: Queryable,
  { columns, notes, way, count, pages }: Table,
): Fragment => sql`
  , columns = ${JSON.stringify(columns)}, notes = ${JSON.stringify(notes)},
  way = ${JSON.stringify(way)}, matched = '{}', row_count = ${count},
  page_count = ${pages.length}, faulty_count = null, existing_count = null, rows_amount = null,
  unread_amounts = null, sound_amount = null`;

export const matchedSet = (
  sql: Queryable,
  matched: Matched,
  checked: { faulty: number; existing: number; sums: Sums | null } | null,
): Fragment => sql`
  , matched = ${JSON.stringify(matched)}, faulty_count = ${checked?.faulty ?? null}::int,
  existing_count = ${checked?.existing ?? null}::int,
  rows_amount = ${checked?.sums?.rows ?? null}::bigint,
  unread_amounts = ${checked?.sums?.unread ?? null}::int,
  sound_amount = ${checked?.sums?.sound ?? null}::bigint, sums_version = version + 1`;

/**
 * Deletes the rows of a discarded import, and its first rows, which are stored outside the pages.
 */
export async function dropRows(tx: Transaction, one: Import): Promise<Import> {
  const { accountId, id } = keyOf(one);
  await dropPages(tx, { accountId, id });
  // PostgreSQL's own JSON refuses NUL and half an emoji, which cells may contain.
  const way = { ...one.way, top: [] };
  await tx`
    update imports set way = ${JSON.stringify(way)} where account_id = ${accountId} and id = ${id}`;
  return { ...one, way };
}

export const confirmedSet = (
  sql: Queryable,
  { repeatsToo, actor, now }: { repeatsToo: boolean; actor: Actor; now: Temporal.Instant },
): Fragment => sql`
  , repeats_too = ${repeatsToo}, actor = ${actorText(actor)}, look_at = ${now}::timestamptz,
  tries = 0, error = null,
  rows_amount = case when state <> 'draft' or sums_version = version then rows_amount end,
  unread_amounts = case when state <> 'draft' or sums_version = version then unread_amounts end,
  sound_amount = case when state <> 'draft' or sums_version = version then sound_amount end`;

export const undoSet = (
  sql: Queryable,
  { comment, actor, now }: { comment: string; actor: Actor; now: Temporal.Instant },
): Fragment => sql`
  , comment = ${comment}, actor = ${actorText(actor)}, look_at = ${now}::timestamptz, tries = 0,
  error = null`;

export const endedSet = (sql: Queryable, error: string | LocalizedText | null): Fragment => sql`
  , look_at = null, tries = 0, error = ${error === null ? null : storedText(error)}`;

/**
 * Returns the field to which an account matched each heading before. Null marks a heading that it
 * matched to none.
 */
export async function readHeadings(
  sql: Queryable,
  accountId: string,
  kind: KindName,
): Promise<Map<string, string | null>> {
  const rows = await sql<{ heading: string; field: string | null }[]>`
    select heading, field from import_headings
    where account_id = ${accountId} and kind = ${kind}`;
  return new Map(rows.map(({ heading, field }) => [heading, field]));
}

export async function rememberHeadings(
  tx: Queryable,
  { accountId, kind }: { accountId: string; kind: KindName },
  headings: ReadonlyMap<string, string | null>,
): Promise<void> {
  await tx`
    insert into import_headings (account_id, kind, heading, field)
    select ${accountId}, ${kind}, heading, field
    from unnest(${[...headings.keys()]}::text[], ${[...headings.values()]}::text[])
      as told (heading, field)
    order by heading
    on conflict (account_id, kind, heading) do update set field = excluded.field`;
}
