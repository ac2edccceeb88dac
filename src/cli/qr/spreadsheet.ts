import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { BrokenItem, qrItemSchema } from '../../qr/index.ts';
import { type Encoding, encodingOf, textOf } from './encoding.ts';

/** The columns that a spreadsheet must have; the item's other fields may be there too. */
const neededColumns = qrItemSchema.required as readonly string[];

const words: Record<string, string> = {
  true: 'true',
  verdadero: 'true',
  si: 'true',
  sí: 'true',
  '1': 'true',
  false: 'false',
  falso: 'false',
  no: 'false',
  '0': 'false',
};

/** 1.430,50 or $ 1.430,50 as 1430.50, the way spreadsheets in Argentina write amounts. */
function plainAmount(cell: string): string {
  const text = cell.replace(/^\$\s*/, '');
  return /^(\d{1,3}(\.\d{3})+|\d+),\d{1,2}$/.test(text)
    ? text.replaceAll('.', '').replace(',', '.')
    : text;
}

/** 5/12/2026 as 05-12-2026. */
const plainDay = (text: string): string => {
  const [, day, month, year] = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text) ?? [];
  return day && month && year ? `${day.padStart(2, '0')}-${month.padStart(2, '0')}-${year}` : text;
};

/** How cells of a column are read; the others are texts as they are. */
const readers: Record<string, (text: string) => string> = {
  first_total: plainAmount,
  second_total: plainAmount,
  first_due_date: plainDay,
  second_due_date: plainDay,
  multiple_payment: (text) => words[text.toLowerCase()] ?? text,
};

/** A row as the item that the service takes. */
export const itemOfRow = (row: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).map(([column, text]) => [column, readers[column]?.(text) ?? text]),
  );

/** How a file's cells are parted, and whether its first line says so (`sep=;`) and is no header. */
interface Layout {
  encoding: Encoding;
  delimiter: string;
  headerLine: 1 | 2;
}

const delimiters = [',', ';', '\t'];

async function layoutOf(path: string): Promise<Layout> {
  const encoding = await encodingOf(path);
  let head = '';
  for await (const text of textOf(path, encoding)) {
    head += text;
    if (head.includes('\n')) break;
  }
  const [line = ''] = head.split('\n', 1);
  const [, said] = /^sep=(.)\r?$/i.exec(line) ?? [];
  if (said !== undefined) return { encoding, delimiter: said, headerLine: 2 };
  const cellsBy = (sign: string): number => line.split(sign).length;
  const delimiter = delimiters.toSorted((a, b) => cellsBy(b) - cellsBy(a))[0] ?? ',';
  return { encoding, delimiter, headerLine: 1 };
}

function columnsOf(header: string[]): string[] {
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

/**
 * The rows of a CSV file whose first line names the fields, as spreadsheets write them: comma,
 * semicolon or tab; UTF-8, UTF-16 or Windows-1252.
 */
export async function* spreadsheetRows(
  path: string,
): AsyncGenerator<Record<string, string> | BrokenItem> {
  const { encoding, delimiter, headerLine } = await layoutOf(path);
  const parser = parse({
    delimiter,
    fromLine: headerLine,
    relaxColumnCount: true,
    relaxQuotes: true,
    skipEmptyLines: true,
    skipRecordsWithEmptyValues: true,
    trim: true,
  });
  // What goes wrong ends the parser, whose reader throws it.
  pipeline(Readable.from(textOf(path, encoding)), parser, () => {});
  let columns: string[] | null = null;
  try {
    for await (const cells of parser) {
      if (columns === null) columns = columnsOf(cells as string[]);
      else yield itemOfCells(columns, cells as string[]);
    }
  } catch (error) {
    throw error instanceof CsvError ? new Error(`The file is not CSV: ${error.message}.`) : error;
  }
  if (columns === null) throw new Error('The file is empty.');
}
