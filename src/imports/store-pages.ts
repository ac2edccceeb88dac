import type { StoredCodeText } from '../language/localized-text.ts';
import type { FoundFault } from '../platform/errors.ts';
import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import { readStoredCode } from '../platform/refusals.ts';
import type { NumberedRow } from '../platform/spreadsheets/table.ts';
import { type Import, type ImportKey, keyOf } from './import.ts';

/** Faults of a row, by its number in the spreadsheet. */
export type RowFaults = [number, FoundFault[]];
/**
 * The number of a row, and the id of the entity that it repeats. Null if it repeats an earlier row.
 */
export type RowRepeats = [number, number | null];
/**
 * The outcome of a row: the id of its entity, or null, with faults if it was rejected, without if
 * it was skipped.
 */
export type RowOutcome = [number, number | null, FoundFault[]];

export interface ImportPage {
  no: number;
  rows: NumberedRow[];
  faults: RowFaults[];
  existing: RowRepeats[];
  /** Null until the page is processed. */
  outcomes: RowOutcome[] | null;
  withdrawn: number[];
}

type StoredPage = { no: number; rows: string } & Record<
  'faults' | 'existing' | 'outcomes' | 'withdrawn',
  string | null
>;

const listOf = <T>(text: string | null): T[] => (text === null ? [] : JSON.parse(text));

/** A stored fault: in English, and with its code for readers of another language. */
type StoredFault = Omit<FoundFault, 'localized'> & { kept?: StoredCodeText };

const storedFaults = (faults: readonly FoundFault[]): StoredFault[] =>
  faults.map(({ localized, ...fault }) =>
    localized ? { ...fault, kept: localized.kept() } : fault,
  );

const readFaults = (faults: readonly StoredFault[]): FoundFault[] =>
  faults.map(({ kept: stored, ...fault }) =>
    stored ? { ...fault, localized: readStoredCode(stored) } : fault,
  );

const pageOf = ({ no, rows, faults, existing, outcomes, withdrawn }: StoredPage): ImportPage => ({
  no,
  rows: listOf(rows),
  faults: listOf<[number, StoredFault[]]>(faults).map(([row, all]) => [row, readFaults(all)]),
  existing: listOf(existing),
  outcomes:
    outcomes === null
      ? null
      : listOf<[number, number | null, StoredFault[]]>(outcomes).map(([row, id, all]) => [
          row,
          id,
          readFaults(all),
        ]),
  withdrawn: listOf(withdrawn),
});

export async function readPage(
  sql: Queryable,
  { accountId, id }: ImportKey,
  no: number,
): Promise<ImportPage | null> {
  const [page] = await sql<StoredPage[]>`
    select no, rows, faults, existing, outcomes, withdrawn from import_pages
    where account_id = ${accountId} and import_id = ${id} and no = ${no}`;
  return page ? pageOf(page) : null;
}

/** Returns the pages with faults or with rows that already exist, starting at page `from`. */
export async function readRemarked(
  sql: Queryable,
  { accountId, id }: ImportKey,
  { from, most }: { from: number; most: number },
): Promise<ImportPage[]> {
  const pages = await sql<StoredPage[]>`
    select no, rows, faults, existing, outcomes, withdrawn from import_pages
    where account_id = ${accountId} and import_id = ${id} and no >= ${from}
      and (faults <> '[]' or existing <> '[]')
    order by no limit ${most}`;
  return pages.map(pageOf);
}

/** Result of checking a page, serialized per page to keep each turn short. */
export interface CheckedPage {
  faulty: number;
  existing: number;
  texts: { faults: string; existing: string };
}

export const checkedPage = (faults: RowFaults[], existing: RowRepeats[]): CheckedPage => ({
  faulty: faults.length,
  existing: existing.length,
  texts: {
    faults: JSON.stringify(faults.map(([row, all]) => [row, storedFaults(all)])),
    existing: JSON.stringify(existing),
  },
});

/** Pages per statement. */
export const pagesAtOnce = 8;

/** Stores each page's check, by position. */
export async function storeChecks(
  tx: Transaction,
  { accountId, id }: ImportKey,
  checks: readonly CheckedPage[],
): Promise<void> {
  for (let from = 0; from < checks.length; from += pagesAtOnce) {
    const texts = checks.slice(from, from + pagesAtOnce).map((page) => page.texts);
    await tx`
      update import_pages p set faults = told.faults, existing = told.existing
      from ${recordset(tx, 'told (faults text, existing text, no ordinality)', texts)}
      where p.account_id = ${accountId} and p.import_id = ${id}
        and p.no = ${from}::int + told.no - 1`;
  }
}

export interface Counts {
  created: number;
  rejected: number;
  skipped: number;
}

/** Deletes the rows of a draft that is discarded, or whose file is read again. */
export async function dropPages(tx: Transaction, { accountId, id }: ImportKey): Promise<void> {
  await tx`delete from import_pages where account_id = ${accountId} and import_id = ${id}`;
}

/** Stores a page's outcomes, and adds their counts to the import's. */
export async function storeOutcomes(
  tx: Transaction,
  one: Import,
  { no, outcomes, counts }: { no: number; outcomes: RowOutcome[]; counts: Counts },
): Promise<void> {
  const { accountId, id } = keyOf(one);
  const stored = outcomes.map(([row, made, faults]) => [row, made, storedFaults(faults)]);
  await tx`
    with counted as (
      update imports set created = created + ${counts.created},
        rejected = rejected + ${counts.rejected}, skipped = skipped + ${counts.skipped}
      where account_id = ${accountId} and id = ${id}
    )
    update import_pages set outcomes = ${JSON.stringify(stored)}
    where account_id = ${accountId} and import_id = ${id} and no = ${no}`;
}

export async function storeWithdrawn(
  tx: Transaction,
  one: Import,
  { no, ids }: { no: number; ids: readonly number[] },
): Promise<void> {
  const { accountId, id } = keyOf(one);
  await tx`
    with counted as (
      update imports set withdrawn = withdrawn + ${ids.length}
      where account_id = ${accountId} and id = ${id}
    )
    update import_pages set withdrawn = ${JSON.stringify(ids)}
    where account_id = ${accountId} and import_id = ${id} and no = ${no}`;
}
