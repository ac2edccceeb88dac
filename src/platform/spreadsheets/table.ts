import { toAscii } from '../../kernel/text.ts';
import { Refusal } from '../errors.ts';
import type { Cell } from './cells.ts';
import { rowsOfCsv } from './csv.ts';
import type { Encoding } from './encoding.ts';
import type { TableLimits } from './limits.ts';
import { rowsOfXlsx } from './xlsx.ts';

/** What the reader saw and somebody should know. */
export type Note =
  /** Rows of sums, which are left out. */
  | { what: 'totals'; rows: number[] }
  /** Rows above the one that names the columns, which are left out. */
  | { what: 'above'; rows: number }
  | { what: 'sheets'; others: number }
  /** Rows that the sheet hides, which are left out. */
  | { what: 'hidden'; rows: number[] }
  | { what: 'encoding'; encoding: Encoding }
  /** Columns of one name, by their places from 0. */
  | { what: 'same_name'; name: string; columns: number[] };

/** Rows and characters of a page, as JSON of `[row's number in the spreadsheet, cells][]`. */
const pageRows = 250;
const pageText = 262_144;

/** The longest text of a cell in spreadsheet programs. */
const longestCell = 32_767;
/** Characters of a row: eight full cells. */
const longestRow = pageText;
/** Characters of all rows: one text may stand in many cells of a workbook. */
const mostText = 67_108_864;
/** Names of columns are cut there: every page of an import shows them. */
const longestName = 255;
/** Rows that a note names. */
const mostNoted = 1_000;

/** A row with the number that the spreadsheet shows. */
export type NumberedRow = [number, Cell[]];

/** A spreadsheet as it was read: the names of its columns, and its rows in pages of JSON. */
export interface Table {
  format: 'csv' | 'xlsx';
  columns: string[];
  count: number;
  notes: Note[];
  pages: string[];
}

const malformed = (message: string): Refusal => new Refusal('malformed', message);

const filled = (row: readonly Cell[]): number => row.filter((cell) => cell !== '').length;

/** The row that names the columns: the first with two names at least; titles stand above it. */
function headerOf(rows: readonly Cell[][]): number {
  const index = rows.findIndex((row) => filled(row) > 1);
  if (index >= 0) return index;
  if (rows.every((row) => filled(row) === 0)) throw malformed('The file is empty.');
  throw malformed('The file has one column: the first row must name the columns, two at least.');
}

/** Characters of a cell that name a sum. */
const longestTotal = 64;
const saysTotal = /^(sub ?|gran )?total(es)?\b|^sum(a|as|atoria)\b/;

const isSum = (cell: Cell): boolean =>
  typeof cell === 'number' || /^[\s$.,\d()-]+$|^#/.test(String(cell).replace(/\bars\b/i, ''));

/**
 * Whether a row sums others up: its first text says so, all else in it is numbers, and most of its
 * cells are empty. Whoever is called Total has a description or a day beside the name.
 */
function isTotal(row: readonly Cell[], columns: number): boolean {
  const [first, ...others] = row.filter((cell) => cell !== '');
  return (
    typeof first === 'string' &&
    saysTotal.test(toAscii(first.slice(0, longestTotal)).toLowerCase()) &&
    others.every(isSum) &&
    others.length < Math.min(columns - 1, Math.max(2, columns / 2))
  );
}

function sameNames(columns: readonly string[]): Note[] {
  const places = Map.groupBy(columns.keys(), (place) =>
    toAscii(columns[place] ?? '').toLowerCase(),
  );
  return [...places]
    .filter(([name, all]) => name !== '' && all.length > 1)
    .map(([, all]) => ({ what: 'same_name', name: columns[all[0] ?? 0] ?? '', columns: all }));
}

function refuseMerged(merged: readonly { range: string; lastRow: number }[], header: number) {
  const ranges = merged.filter(({ lastRow }) => lastRow > header + 1).map(({ range }) => range);
  if (ranges.length === 0) return;
  const named = ranges.slice(0, 3).join(', ');
  throw malformed(
    `Cells are merged below the names of the columns (${named}${ranges.length > 3 ? ', …' : ''}): unmerge them, so that each row has its own values.`,
  );
}

const tooManyRows = ({ rows }: TableLimits): Refusal =>
  new Refusal('too_large', `The file has more than ${rows} rows, which is the most: split it.`);

function checkSize(rows: number, columns: number, limits: TableLimits): void {
  if (rows > limits.rows) throw tooManyRows(limits);
  if (columns > limits.columns) {
    throw new Refusal(
      'too_large',
      `The file has ${columns} columns; at most ${limits.columns} are read.`,
    );
  }
}

const lengthOf = (cell: Cell): number => (typeof cell === 'string' ? cell.length : 0);

const tooLong = (message: string): Refusal => new Refusal('too_large', message);

/** The characters of a row. Throws a Refusal if they, or those of a cell, are too many. */
function textOfRow([number, cells]: NumberedRow): number {
  const lengths = cells.map(lengthOf);
  if (lengths.some((length) => length > longestCell)) {
    throw tooLong(
      `Row ${number} has a cell of more than ${longestCell} characters, the most that a cell holds.`,
    );
  }
  const sum = lengths.reduce((total, length) => total + length, 0);
  if (sum <= longestRow) return sum;
  throw tooLong(`Row ${number} has more than ${longestRow} characters.`);
}

/** Pages of a bounded length, so that reading one takes a moment. */
function inPages(rows: readonly NumberedRow[]): string[] {
  const pages: string[] = [];
  let page: NumberedRow[] = [];
  let text = 0;
  let all = 0;
  const end = (): void => {
    if (page.length > 0) pages.push(JSON.stringify(page));
    page = [];
    text = 0;
  };
  for (const row of rows) {
    const length = textOfRow(row);
    all += length;
    if (all > mostText) throw tooLong(`The file has more than ${mostText} characters.`);
    if (page.length === pageRows || text + length > pageText) end();
    page.push(row);
    text += length;
  }
  end();
  return pages;
}

interface Read {
  format: Table['format'];
  rows: Cell[][];
  merged: { range: string; lastRow: number }[];
  notes: Note[];
  hidden?: ReadonlySet<number>;
}

function tableOf(
  { format, rows, merged, notes, hidden = new Set() }: Read,
  limits: TableLimits,
): Table {
  const header = headerOf(rows);
  refuseMerged(merged, header);
  const names = (rows[header] ?? []).map((cell) => String(cell).trim().slice(0, longestName));
  const columns = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  const all = rows
    .map((row, index): NumberedRow => [index + 1, row])
    .slice(header + 1)
    .filter(([, row]) => filled(row) > 0);
  const unseen = all.filter(([number]) => hidden.has(number));
  const numbered = all.filter(([number]) => !hidden.has(number));
  const totals = numbered.filter(([, row]) => isTotal(row, columns.length));
  const kept = numbered.filter(([, row]) => !isTotal(row, columns.length));
  if (kept.length === 0) throw malformed('The file has no rows below the names of its columns.');
  checkSize(kept.length, columns.length, limits);
  return {
    format,
    columns,
    count: kept.length,
    notes: [
      ...notes,
      ...(header > 0 ? [{ what: 'above', rows: header } as const] : []),
      ...(totals.length > 0
        ? [{ what: 'totals', rows: totals.slice(0, mostNoted).map(([number]) => number) } as const]
        : []),
      ...(unseen.length > 0
        ? [{ what: 'hidden', rows: unseen.slice(0, mostNoted).map(([number]) => number) } as const]
        : []),
      ...sameNames(columns),
    ],
    pages: inPages(kept),
  };
}

const begins = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

const unsupported = (message: string): Refusal => new Refusal('unsupported_type', message);

async function read(bytes: Uint8Array, limits: TableLimits): Promise<Read> {
  if (bytes.length === 0) throw malformed('The file is empty.');
  if (begins(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw unsupported(
      'The file is a workbook in the old format XLS, or has a password: save it as XLSX without one.',
    );
  }
  if (begins(bytes, 0x25, 0x50, 0x44, 0x46)) {
    throw unsupported('The file is a PDF. CSV and XLSX files are read.');
  }
  if (begins(bytes, 0x50, 0x4b)) {
    const { rows, sheets, merged, hidden } = await rowsOfXlsx(bytes, limits);
    const notes: Note[] = sheets > 1 ? [{ what: 'sheets', others: sheets - 1 }] : [];
    return { format: 'xlsx', rows, merged, notes, hidden };
  }
  // Titles, headings and totals are no rows of it.
  const { rows, encoding } = rowsOfCsv(bytes, {
    most: limits.rows + 1_000,
    tooMany: () => tooManyRows(limits),
  });
  const notes: Note[] = encoding === 'utf-8' ? [] : [{ what: 'encoding', encoding }];
  return { format: 'csv', rows, merged: [], notes };
}

/** Reads a spreadsheet. Throws a Refusal for what is none, or not one that is taken. */
export const readTable = async (bytes: Uint8Array, limits: TableLimits): Promise<Table> =>
  tableOf(await read(bytes, limits), limits);
