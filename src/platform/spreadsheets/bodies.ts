import type { FoundFault } from '../errors.ts';
import { type Cell, isCellError, isRounded } from './cells.ts';
import type { SheetField } from './fields.ts';
import type { Matched } from './headings.ts';

export interface Columns {
  fields: readonly SheetField[];
  matched: Matched;
  /** How many columns have names. */
  count: number;
}

export interface RowBody {
  body: Record<string, unknown>;
  faults: FoundFault[];
}

/** Of a row that has not a cell for each column. */
export const cellsFault = (cells: number, columns: number): FoundFault => ({
  path: [],
  message: `The row has ${cells} cells, the first line names ${columns} columns.`,
});

/** The body that a row stands for, and what is wrong with its cells before any form reads them. */
export function bodyOf(cells: readonly Cell[], { fields, matched, count }: Columns): RowBody {
  const body: Record<string, unknown> = {};
  const faults: FoundFault[] = [];
  for (const { name, read } of fields) {
    const place = matched[name] ?? null;
    const cell = place === null ? '' : (cells[place] ?? '');
    if (cell === '') continue;
    if (isCellError(cell)) {
      faults.push({ path: [name], message: `The cell has the error ${cell} of a formula.` });
    } else if (isRounded(cell)) {
      const message =
        'The spreadsheet rounded this number: format the column as a text and write it again.';
      faults.push({ path: [name], message });
    } else body[name] = read(cell);
  }
  const beyond = cells.findLastIndex((cell) => cell !== '');
  if (beyond >= count) faults.push(cellsFault(beyond + 1, count));
  return { body, faults };
}
