import { bodyOf, cellsFault } from '../../platform/spreadsheets/bodies.ts';
import type { Cell } from '../../platform/spreadsheets/cells.ts';
import { type Matched, sureMatch } from '../../platform/spreadsheets/headings.ts';
import type { NumberedRow, Table } from '../../platform/spreadsheets/table.ts';
import { BrokenItem } from '../item.ts';
import { qrSheetDefaults, qrSheetFields } from '../sheet-fields.ts';

/** A row of a spreadsheet. A readable one is an item as callers send it. */
export interface SheetRow {
  /** The number that the spreadsheet shows for the row. */
  number: number;
  item: Record<string, unknown> | BrokenItem;
}

/** A spreadsheet of QRs, imported without a review. */
export interface Sheet {
  /** The spreadsheet's headings, by field. */
  headings: ReadonlyMap<string, string>;
  rowsOf(page: string): SheetRow[];
}

/** Returns the minimum number of cells per row: up to the last required column. */
const leastCells = (matched: Matched): number =>
  Math.max(
    ...qrSheetFields.filter(({ required }) => required).map(({ name }) => (matched[name] ?? 0) + 1),
  );

/** Reads a spreadsheet's columns. Throws a Refusal if the first row does not identify them. */
export function sheetOf({ columns, format }: Pick<Table, 'columns' | 'format'>): Sheet {
  const matched = sureMatch(qrSheetFields, columns);
  const layout = { fields: qrSheetFields, matched, count: columns.length };
  // A short line of CSV was truncated or its cells shifted. Workbooks omit empty cells.
  const least = format === 'csv' ? leastCells(matched) : 0;
  const itemOf = (cells: readonly Cell[]): SheetRow['item'] => {
    const { body, faults } = bodyOf(cells, layout);
    if (cells.length < least) faults.push(cellsFault(cells.length, columns.length));
    if (faults.length === 0) return { ...qrSheetDefaults, ...body };
    const itemFaults = faults.map(({ path: [field], message, localized = null }) => ({
      ...(field !== undefined && { field: String(field) }),
      message,
      localized,
    }));
    return new BrokenItem(String(body.id ?? ''), itemFaults);
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
