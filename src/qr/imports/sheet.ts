import { bodyOf, cellsFault } from '../../platform/spreadsheets/bodies.ts';
import type { Cell } from '../../platform/spreadsheets/cells.ts';
import { type Matched, sureMatch } from '../../platform/spreadsheets/headings.ts';
import type { NumberedRow, Table } from '../../platform/spreadsheets/table.ts';
import { BrokenItem } from '../item.ts';
import { qrSheetDefaults, qrSheetFields } from '../sheet-fields.ts';

/** A row that can be read is an item as callers send it. */
export interface SheetRow {
  /** The heading in the spreadsheet. */
  number: number;
  item: Record<string, unknown> | BrokenItem;
}

/** A spreadsheet of QRs that is imported without a review. */
export interface Sheet {
  /** The spreadsheet's own headings of its fields. */
  headings: ReadonlyMap<string, string>;
  /** The rows of one of the table's pages. */
  rowsOf(page: string): SheetRow[];
}

/** Cells that a row has at least: those up to the last column that is needed. */
const leastCells = (matched: Matched): number =>
  Math.max(
    ...qrSheetFields.filter(({ required }) => required).map(({ name }) => (matched[name] ?? 0) + 1),
  );

/** Throws a Refusal if the first row does not identify the columns. */
export function sheetOf({ columns, format }: Pick<Table, 'columns' | 'format'>): Sheet {
  const matched = sureMatch(qrSheetFields, columns);
  const layout = { fields: qrSheetFields, matched, count: columns.length };
  // A line of text that ends early was cut, or its cells moved; workbooks leave out empty cells.
  const least = format === 'csv' ? leastCells(matched) : 0;
  const itemOf = (cells: readonly Cell[]): SheetRow['item'] => {
    const { body, faults } = bodyOf(cells, layout);
    if (cells.length < least) faults.push(cellsFault(cells.length, columns.length));
    if (faults.length === 0) return { ...qrSheetDefaults, ...body };
    const told = faults.map(({ path: [field], message, said = null }) => ({
      ...(field !== undefined && { field: String(field) }),
      message,
      said,
    }));
    return new BrokenItem(String(body.id ?? ''), told);
  };
  const headings = Object.entries(matched).flatMap(([name, place]): [string, string][] =>
    place === null ? [] : [[name, columns[place] ?? name]],
  );
  return {
    headings: new Map(headings),
    rowsOf: (page) =>
      (JSON.parse(page) as NumberedRow[]).map(([number, cells]) => ({
        number,
        item: itemOf(cells),
      })),
  };
}
