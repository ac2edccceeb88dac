import { firstLetters } from '../../kernel/text.ts';
import type { Cell } from './cells.ts';
import { refusal } from './codes.ts';

/** Longer column names are truncated, because every page of an import repeats them. */
const longestName = 255;
/** Rows to search for headings, from the first with names. */
const mostGroups = 4;

export const filled = (row: readonly Cell[]): number => row.filter((cell) => cell !== '').length;

/** Joins a heading of several lines, without characters that no page can show. */
const nameOf = (cell: Cell | undefined): string =>
  firstLetters(
    String(cell ?? '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\p{Cc}/gu, '')
      .trim(),
    longestName,
  );

/** Returns true for words. Data rows contain an amount, day or number without letters. */
const isHeading = (cell: Cell): boolean =>
  typeof cell === 'string' && /\p{L}/u.test(cell) && !cell.includes('@');

/**
 * Returns true if this row only groups columns: the row below has only words, and names a column
 * that this row leaves empty.
 */
function isGroup(row: readonly Cell[], below: readonly Cell[] | undefined): boolean {
  if (below === undefined) return false;
  return (
    below.every((cell) => cell === '' || isHeading(cell)) &&
    below.some((cell, place) => cell !== '' && (row[place] ?? '') === '')
  );
}

/**
 * Returns the index of the heading row: the first with at least two names, or the last of several
 * if those above only group columns. Titles precede it. Throws a Refusal if there is none.
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

/**
 * Returns the index of the row that a person chose by number. Throws a Refusal if it has fewer than
 * two names.
 */
export function chosenHeadings(rows: readonly Cell[][], number: number): number {
  if (filled(rows[number - 1] ?? []) > 1) return number - 1;
  throw refusal('spreadsheet.row_without_names', { row: number });
}

/**
 * Returns the columns' names. A column without one gets the group's name from the row above,
 * because a heading that belongs to no group is merged over both rows.
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
