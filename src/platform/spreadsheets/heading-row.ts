import type { Cell } from './cells.ts';
import { refusal } from './codes.ts';

/** Names of columns are cut there: every page of an import shows them. */
const longestName = 255;
/** Rows to search for headings, from the first one with names. */
const mostGroups = 4;

export const filled = (row: readonly Cell[]): number => row.filter((cell) => cell !== '').length;

/** A heading on several lines is one name. */
const nameOf = (cell: Cell | undefined): string =>
  String(cell ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longestName);

/** Headings are words. Rows of data have an amount, a day or a number without any letter. */
const isHeading = (cell: Cell): boolean =>
  typeof cell === 'string' && /\p{L}/u.test(cell) && !cell.includes('@');

/** True if the row below names a column that this one leaves empty, and has only words. */
function isGroup(row: readonly Cell[], below: readonly Cell[] | undefined): boolean {
  if (below === undefined) return false;
  return (
    below.every((cell) => cell === '' || isHeading(cell)) &&
    below.some((cell, place) => cell !== '' && (row[place] ?? '') === '')
  );
}

/**
 * Returns the index of the headings' row: the first with two names at least, or the last of several
 * where those above only group its columns. Titles come before it.
 */
export function findHeadings(rows: readonly Cell[][]): number {
  const first = rows.findIndex((row) => filled(row) > 1);
  if (first >= 0) {
    let index = first;
    while (index < first + mostGroups && isGroup(rows[index] ?? [], rows[index + 1])) index += 1;
    return index;
  }
  if (rows.every((row) => filled(row) === 0)) throw refusal('spreadsheet.empty', {});
  throw refusal('spreadsheet.one_column', {});
}

/** Returns the index of the row that a person chose, by its number. */
export function chosenHeadings(rows: readonly Cell[][], number: number): number {
  if (filled(rows[number - 1] ?? []) > 1) return number - 1;
  throw refusal('spreadsheet.row_without_names', { row: number });
}

/**
 * The columns' names. A column without a name in this row takes the one above it, if that row
 * groups columns: headings of one line are merged over both.
 */
export function namesOf(rows: readonly Cell[][], index: number): string[] {
  const row = rows[index] ?? [];
  const above = rows[index - 1] ?? [];
  const groups = filled(above) > 1 && isGroup(above, row);
  const names = Array.from(
    { length: Math.max(row.length, groups ? above.length : 0) },
    (_, index) => {
      const own = nameOf(row[index]);
      return own === '' && groups ? nameOf(above[index]) : own;
    },
  );
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1);
}
