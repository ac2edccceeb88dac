import { readFile } from 'node:fs/promises';
import { amountOf, dayTextOf, flagOf } from '../../platform/spreadsheets/cells.ts';
import { rowsOfCsv } from '../../platform/spreadsheets/csv.ts';
import { BrokenItem, qrItemSchema } from '../../qr/index.ts';

/** The columns that a spreadsheet must have; the item's other fields may be there too. */
const neededColumns = qrItemSchema.required as readonly string[];

/** How cells of a column are read; the others are texts as they are. */
const readers: Record<string, (text: string) => string> = {
  first_total: amountOf,
  second_total: amountOf,
  first_due_date: dayTextOf,
  second_due_date: dayTextOf,
  multiple_payment: flagOf,
};

/** A row as the item that the service takes. */
const itemOfRow = (row: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).map(([column, text]) => [column, readers[column]?.(text) ?? text]),
  );

function columnsOf(header: readonly string[]): string[] {
  const columns = header.map((name) => name.trim().toLowerCase());
  const missing = neededColumns.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    throw new Error(
      `The first line must name the columns; these are missing: ${missing.join(', ')}.`,
    );
  }
  const twice = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`The first line names the column ${twice} twice.`);
  return columns;
}

/** A row as an item; one that has not a cell for each column is at fault alone. */
function itemOfCells(columns: string[], cells: string[]): Record<string, string> | BrokenItem {
  const isLong = cells.slice(columns.length).some((cell) => cell !== '');
  if (cells.length < columns.length || isLong) {
    const id = cells[columns.indexOf('id')];
    return new BrokenItem(
      id,
      `The row has ${cells.length} cells, the first line names ${columns.length} columns.`,
    );
  }
  return itemOfRow(Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? ''])));
}

/** The rows of a CSV file whose first line names the fields, as spreadsheets write them. */
export async function spreadsheetRows(
  path: string,
): Promise<(Record<string, string> | BrokenItem)[]> {
  const { rows } = rowsOfCsv(await readFile(path));
  const [header, ...others] = rows.filter((cells) => cells.some((cell) => cell !== ''));
  if (header === undefined) throw new Error('The file is empty.');
  const columns = columnsOf(header);
  return others.map((cells) => itemOfCells(columns, cells));
}
