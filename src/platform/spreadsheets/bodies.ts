import { isStorable } from '../../kernel/text.ts';
import type { LocalizedText } from '../../language/localized-text.ts';
import type { FoundFault } from '../errors.ts';
import { type Cell, isCellError, isRounded } from './cells.ts';
import { fault } from './codes.ts';
import type { SheetField } from './fields.ts';
import type { Matched } from './headings.ts';

export interface Columns {
  fields: readonly SheetField[];
  matched: Matched;
  /** Number of columns, up to the last one with a name. */
  count: number;
}

export interface RowBody {
  body: Record<string, unknown>;
  faults: FoundFault[];
}

const faultAt = (path: string[], localized: LocalizedText): FoundFault => ({
  path,
  message: String(localized),
  localized,
});

/** Returns the fault of a row with more or fewer cells than there are columns. */
export const cellsFault = (cells: number, columns: number): FoundFault =>
  faultAt([], fault('spreadsheet.cells_beyond', { cells, columns }));

/** Builds a row's body, with faults of cells found before any form parses them. */
export function bodyOf(cells: readonly Cell[], { fields, matched, count }: Columns): RowBody {
  const body: Record<string, unknown> = {};
  const faults: FoundFault[] = [];
  for (const { name, read } of fields) {
    const place = matched[name] ?? null;
    const cell = place === null ? '' : (cells[place] ?? '');
    if (cell === '') continue;
    if (isCellError(cell)) {
      faults.push(faultAt([name], fault('spreadsheet.cell_error', { error: String(cell) })));
    } else if (isRounded(cell)) {
      faults.push(faultAt([name], fault('spreadsheet.rounded', {})));
    } else if (typeof cell === 'string' && !isStorable(cell)) {
      faults.push(faultAt([name], fault('spreadsheet.broken_character', {})));
    } else body[name] = read(cell);
  }
  const beyond = cells.findLastIndex((cell) => cell !== '');
  if (beyond >= count) faults.push(cellsFault(beyond + 1, count));
  return { body, faults };
}
