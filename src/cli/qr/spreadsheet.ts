import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { qrItemSchema } from '../../qr/index.ts';

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

/** 1.430,50 as 1430.50, the way spreadsheets in Argentina write amounts. */
const plainAmount = (text: string): string =>
  /^(\d{1,3}(\.\d{3})+|\d+),\d{1,2}$/.test(text)
    ? text.replaceAll('.', '').replace(',', '.')
    : text;

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

/** Refuses to guess: a file in another encoding would print wrong names. */
async function* utf8Of(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of createReadStream(path)) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error('The file is not UTF-8: save it as "CSV UTF-8".');
  }
}

async function delimiterOf(path: string): Promise<',' | ';'> {
  let head = '';
  for await (const text of utf8Of(path)) {
    head += text;
    if (head.includes('\n')) break;
  }
  const [line = ''] = head.split('\n', 1);
  return line.split(';').length > line.split(',').length ? ';' : ',';
}

function checkColumns(header: string[]): string[] {
  const columns = header.map((name) => name.trim().toLowerCase());
  const missing = neededColumns.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    throw new Error(
      `The first line must name the columns; these are missing: ${missing.join(', ')}.`,
    );
  }
  return columns;
}

/** The rows of a CSV file whose first line names the fields; comma or semicolon, UTF-8. */
export async function* spreadsheetRows(path: string): AsyncGenerator<Record<string, string>> {
  const parser = parse({
    bom: true,
    columns: checkColumns,
    delimiter: await delimiterOf(path),
    skipEmptyLines: true,
    trim: true,
  });
  // What goes wrong ends the parser, whose reader throws it.
  pipeline(Readable.from(utf8Of(path)), parser, () => {});
  try {
    for await (const row of parser) yield itemOfRow(row as Record<string, string>);
  } catch (error) {
    throw error instanceof CsvError ? new Error(`The file is not CSV: ${error.message}.`) : error;
  }
}
