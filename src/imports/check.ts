import { setImmediate as othersTurn } from 'node:timers/promises';
import type { FoundFault } from '../platform/errors.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { bodyOf, type Columns } from '../platform/spreadsheets/bodies.ts';
import type { Cell } from '../platform/spreadsheets/cells.ts';
import type { NumberedRow } from '../platform/spreadsheets/table.ts';
import { refusal } from './codes.ts';
import { type Import, keyOf } from './import.ts';
import type { CheckedRow, CheckRow, ImportKind } from './kinds/kind.ts';
import { findDraft } from './store.ts';
import {
  type CheckedPage,
  checkedPage,
  type RowFaults,
  type RowRepeats,
  readPage,
} from './store-pages.ts';
import { noSums, type Sums, withPage } from './sums.ts';

/** Rows, and characters of their cells, checked per turn of the event loop. */
const checkedAtOnce = 50;
const textAtOnce = 65_536;

const textOf = (cells: readonly Cell[]): number =>
  cells.reduce((sum: number, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0);

/** Splits rows into pieces that are checked within milliseconds. */
function* inTurns(rows: readonly NumberedRow[]): Generator<NumberedRow[]> {
  let some: NumberedRow[] = [];
  let text = 0;
  for (const row of rows) {
    some.push(row);
    text += textOf(row[1]);
    if (some.length < checkedAtOnce && text < textAtOnce) continue;
    yield some;
    some = [];
    text = 0;
  }
  yield some;
}

const isReported = (fault: FoundFault, reported: readonly FoundFault[]): boolean =>
  reported.some(({ path }) => path[0] === fault.path[0]);

async function checkRow<I>(
  check: CheckRow<I>,
  cells: readonly Cell[],
  columns: Columns,
): Promise<CheckedRow<I>> {
  const { body, faults } = bodyOf(cells, columns);
  const checked = await check(body);
  if (faults.length === 0) return checked;
  // Skip "required" if the cell itself has an error.
  const others = checked.ok ? [] : checked.faults.filter((fault) => !isReported(fault, faults));
  return { ok: false, faults: [...faults, ...others] };
}

/** A checked row of a page, with its number in the spreadsheet. */
export type RowCheck<I> = CheckedRow<I> & {
  row: number;
  /** The id under which the row was created, from a result file. */
  createdAs: number | null;
};

/**
 * Recognizes one of our own result files, which its reader may have corrected. The returned
 * function reads the id under which a row was created, or null. For other files it always returns
 * null.
 */
function createdIn(columns: readonly string[]): (cells: readonly Cell[]) => number | null {
  const [row, status, id, errors] = ['row', 'status', 'id', 'errors'].map((name) =>
    columns.indexOf(name),
  ) as [number, number, number, number];
  if (row !== 0 || Math.min(status, id, errors) < 0) return () => null;
  return (cells) => {
    const made = String(cells[id] ?? '');
    return cells[status] === 'created' && /^\d{1,15}$/.test(made) ? Number(made) : null;
  };
}

/** Checks rows with the noun's own form, yielding to other work. */
export async function checkRows<I>(
  kind: ImportKind<I>,
  check: CheckRow<I>,
  one: Pick<Import, 'matched' | 'columns'>,
  rows: readonly NumberedRow[],
): Promise<RowCheck<I>[]> {
  const columns = { fields: kind.fields, matched: one.matched, count: one.columns.length };
  const createdAs = createdIn(one.columns);
  const checks: RowCheck<I>[] = [];
  for (const some of inTurns(rows)) {
    await othersTurn();
    checks.push(
      ...(await Promise.all(
        some.map(async ([row, cells]) => ({
          ...(await checkRow(check, cells, columns)),
          row,
          createdAs: createdAs(cells),
        })),
      )),
    );
  }
  return checks;
}

/**
 * Returns each row that would be a repeat, with the id of what it repeats: rows that a result file
 * marks as created, and rows whose reference the account already uses. The id is null if the
 * reference is only in an earlier row. Adds the page's references to `above`.
 */
export async function repeatsOf<I>(
  sql: Queryable,
  kind: ImportKind<I>,
  accountId: string,
  checks: readonly RowCheck<I>[],
  above: Set<string>,
): Promise<RowRepeats[]> {
  const created = checks.flatMap(({ ok, row, createdAs }): RowRepeats[] =>
    ok && createdAs !== null ? [[row, createdAs]] : [],
  );
  const known = new Set(created.map(([row]) => row));
  const named = checks.flatMap((check) => {
    if (known.has(check.row)) return [];
    const reference = check.ok ? kind.referenceOf(check.input) : null;
    return reference === null ? [] : [{ row: check.row, reference }];
  });
  if (named.length === 0) return created;
  const references = [...new Set(named.map(({ reference }) => reference))];
  const found = await kind.existing(sql, accountId, references);
  const repeats = created;
  for (const { row, reference } of named) {
    const id = found.get(reference);
    if (id !== undefined) repeats.push([row, id]);
    else if (above.has(reference)) repeats.push([row, null]);
    above.add(reference);
  }
  return repeats;
}

/** Maximum number of stored faults per row. */
const mostFaults = 20;

const faultsOf = (checks: readonly RowCheck<unknown>[]): RowFaults[] =>
  checks.flatMap((row): RowFaults[] =>
    row.ok ? [] : [[row.row, row.faults.slice(0, mostFaults)]],
  );

/** Throws a refusal if a draft lacks a page because it was discarded or read again meanwhile. */
async function refuseChanged(
  sql: Queryable,
  one: Pick<Import, 'account_id' | 'id' | 'version'>,
): Promise<void> {
  const { version } = await findDraft(sql, keyOf(one));
  if (version !== one.version) throw refusal('import.changed', {});
}

/** Checks an import page by page: each row's faults, the rows that already exist, and the sums. */
export async function checkAll<I>(
  sql: Queryable,
  kind: ImportKind<I>,
  one: Pick<Import, 'account_id' | 'id' | 'version' | 'matched' | 'columns' | 'page_count'>,
): Promise<{ pages: CheckedPage[]; sums: Sums | null }> {
  const check = await kind.checker(one.account_id);
  const above = new Set<string>();
  const pages: CheckedPage[] = [];
  let sums = noSums;
  for (let no = 0; no < one.page_count; no += 1) {
    const page = await readPage(sql, keyOf(one), no);
    if (!page) {
      await refuseChanged(sql, one);
      throw new Error(`import ${one.id} has no page ${no}`);
    }
    const checks = await checkRows(kind, check, one, page.rows);
    const faults = faultsOf(checks);
    const existing = await repeatsOf(sql, kind, one.account_id, checks, above);
    pages.push(checkedPage(faults, existing));
    const left = new Set([...faults, ...existing].map(([row]) => row));
    sums = withPage(kind, one, sums, { rows: page.rows, left });
  }
  return { pages, sums: kind.amount === null ? null : sums };
}
