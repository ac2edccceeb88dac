import { firstLetters, toAscii } from '../../kernel/text.ts';
import type { Refusal } from '../errors.ts';
import type { Cell } from './cells.ts';
import { refusal } from './codes.ts';
import { rowsOfCsv } from './csv.ts';
import type { Encoding } from './encoding.ts';
import { chosenHeadings, filled, findHeadings, namesOf } from './heading-row.ts';
import type { TableLimits } from './limits.ts';
import { rowsOfXlsx, type SheetInfo } from './xlsx.ts';

/** The reader's notes for the user. */
export type Note =
  /** Skipped totals rows. `stated` is the one that adds up all rows, if one does. */
  | { what: 'totals'; rows: number[]; stated?: NumberedRow }
  /** Skipped rows above the headings. */
  | { what: 'above'; rows: number }
  /** The sheet read from a workbook with several. Older imports lack the name. */
  | { what: 'sheets'; others: number; name?: string }
  /** Skipped hidden rows. */
  | { what: 'hidden'; rows: number[] }
  | { what: 'encoding'; encoding: Encoding }
  /** Columns that share a name, by index from 0. */
  | { what: 'same_name'; name: string; columns: number[] };

/**
 * Maximum number of rows, and of characters, per page. A page is JSON: `[row's number in the
 * spreadsheet, cells][]`.
 */
const pageRows = 250;
const pageText = 262_144;

/** Maximum number of characters per cell in spreadsheet programs. */
const longestCell = 32_767;
/** Maximum number of characters per row: eight full cells. */
const longestRow = pageText;
/**
 * Maximum number of characters in all rows, because a workbook can repeat one text in many cells.
 */
const mostText = 67_108_864;
/** Maximum number of rows in a note. */
const mostNoted = 1_000;

/** A row with the number that the spreadsheet displays. */
export type NumberedRow = [number, Cell[]];

/** Options of reading a spreadsheet. Sheet and headings are detected if unset. */
export interface Reading {
  /** The sheet's position in the workbook, from 1. */
  sheet?: number;
  /** The heading row's number. */
  headings?: number;
  hiddenToo?: boolean;
}

/** The options used to read a spreadsheet, and the alternatives. */
export interface WayRead {
  sheet: number;
  sheets: SheetInfo[];
  headings: number;
  hiddenToo: boolean;
  hidden: number;
  /** The first rows with at least two cells, by number. Any of them may be the headings. */
  top: [number, string][];
}

/** A spreadsheet's columns, and its rows in pages of JSON. */
export interface Table {
  way: WayRead;
  format: 'csv' | 'xlsx';
  columns: string[];
  count: number;
  notes: Note[];
  pages: string[];
}

/** Maximum number of characters in a totals row's label. */
const longestTotal = 64;
const saysTotal = /^(sub ?|gran )?total(es)?\b|^sum(a|as|atoria)\b/;

const isSum = (cell: Cell): boolean =>
  typeof cell === 'number' || /^[\s$.,\d()-]+$|^#/.test(String(cell).replace(/\bars\b/i, ''));

/**
 * Returns true for a totals row: its first text says so, all other cells are numbers, and most are
 * empty. A person called Total has a description or a day next to the name.
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

const isSubtotal = ([, row]: NumberedRow): boolean =>
  /^sub/i.test(String(row.find((cell) => cell !== '')).trim());

/** Characters of a totals row that a note may keep. */
const longestStated = 4_096;

/**
 * Returns the totals row that adds up all rows, reduced to its sums, or null. It must be below all
 * data. Each of several totals rows may add up only a part, so all others must be subtotals, or
 * another must be below all data too.
 */
function statedOf(
  totals: readonly NumberedRow[],
  rows: readonly NumberedRow[],
): NumberedRow | null {
  const last = totals.at(-1);
  const lastRow = rows.at(-1)?.[0] ?? 0;
  if (last === undefined || last[0] < lastRow) return null;
  const others = totals.slice(0, -1);
  const addsTotals = (others.at(-1)?.[0] ?? 0) > lastRow;
  const addsAll = others.length === 0 || addsTotals || others.every(isSubtotal);
  if (!addsAll || (others.length > 0 && isSubtotal(last))) return null;
  // Labels may name people, so only the sums are kept.
  const sums: NumberedRow = [last[0], last[1].map((cell) => (isSum(cell) ? cell : ''))];
  return JSON.stringify(sums).length > longestStated ? null : sums;
}

function totalsNote(totals: readonly NumberedRow[], rows: readonly NumberedRow[]): Note[] {
  if (totals.length === 0) return [];
  const stated = statedOf(totals, rows);
  const shown = totals.slice(0, mostNoted).map(([number]) => number);
  return [{ what: 'totals', rows: shown, ...(stated && { stated }) }];
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
  throw refusal('spreadsheet.merged', { ranges: ranges.length > 3 ? `${named}, …` : named });
}

const tooManyRows = ({ rows: most }: TableLimits): Refusal =>
  refusal('spreadsheet.too_many_rows', { most });

function checkSize(rows: number, columns: number, limits: TableLimits): void {
  if (rows > limits.rows) throw tooManyRows(limits);
  if (columns > limits.columns) {
    throw refusal('spreadsheet.too_many_columns', { most: limits.columns });
  }
}

const lengthOf = (cell: Cell): number => (typeof cell === 'string' ? cell.length : 0);

/** Counts a row's characters. Throws a Refusal if the row or a cell has too many. */
function textOfRow([number, cells]: NumberedRow): number {
  const lengths = cells.map(lengthOf);
  if (lengths.some((length) => length > longestCell)) {
    throw refusal('spreadsheet.long_cell', { row: number, most: longestCell });
  }
  const sum = lengths.reduce((total, length) => total + length, 0);
  if (sum <= longestRow) return sum;
  throw refusal('spreadsheet.long_row', { row: number, most: longestRow });
}

/**
 * Splits rows into pages of bounded length, so that each is quick to read. Throws a Refusal if one
 * row or the sum of all is too long.
 */
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
    if (all > mostText) throw refusal('spreadsheet.too_long', { most: mostText });
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
  sheet: number;
  sheets: SheetInfo[];
  hidden: ReadonlySet<number>;
}

/** Number of rows, and characters of each, to choose the headings from. */
const mostTop = 20;
const longestTop = 160;

const topOf = (rows: readonly Cell[][]): [number, string][] =>
  rows
    .slice(0, mostTop)
    .flatMap((row, index): [number, string][] =>
      filled(row) < 2
        ? []
        : [[index + 1, firstLetters(namesOf([row], 0).filter(Boolean).join(' · '), longestTop)]],
    );

const noRows = (hidden: number): Refusal =>
  hidden === 0
    ? refusal('spreadsheet.no_rows', {})
    : refusal('spreadsheet.all_hidden', { rows: hidden });

function tableOf(read: Read, limits: TableLimits, reading: Reading): Table {
  const { format, rows, merged, notes, hidden } = read;
  const { hiddenToo = false } = reading;
  const header =
    reading.headings === undefined ? findHeadings(rows) : chosenHeadings(rows, reading.headings);
  refuseMerged(merged, header);
  const columns = namesOf(rows, header);
  const all = rows
    .map((row, index): NumberedRow => [index + 1, row])
    .slice(header + 1)
    .filter(([, row]) => filled(row) > 0);
  const unseen = all.filter(([number]) => hidden.has(number));
  const numbered = hiddenToo ? all : all.filter(([number]) => !hidden.has(number));
  const totals = numbered.filter(([, row]) => isTotal(row, columns.length));
  const dataRows = numbered.filter(([, row]) => !isTotal(row, columns.length));
  if (dataRows.length === 0) throw noRows(unseen.length);
  checkSize(dataRows.length, columns.length, limits);
  return {
    way: {
      sheet: read.sheet,
      sheets: read.sheets,
      headings: header + 1,
      hiddenToo,
      hidden: unseen.length,
      top: topOf(rows),
    },
    format,
    columns,
    count: dataRows.length,
    notes: [
      ...notes,
      ...(header > 0 ? [{ what: 'above', rows: header } as const] : []),
      ...totalsNote(totals, dataRows),
      ...(unseen.length > 0 && !hiddenToo
        ? [{ what: 'hidden', rows: unseen.slice(0, mostNoted).map(([number]) => number) } as const]
        : []),
      ...sameNames(columns),
    ],
    pages: inPages(dataRows),
  };
}

const begins = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

async function read(bytes: Uint8Array, limits: TableLimits, reading: Reading): Promise<Read> {
  if (bytes.length === 0) throw refusal('spreadsheet.empty', {});
  if (begins(bytes, 0xd0, 0xcf, 0x11, 0xe0)) throw refusal('spreadsheet.old_format', {});
  if (begins(bytes, 0x25, 0x50, 0x44, 0x46)) throw refusal('spreadsheet.pdf', {});
  if (begins(bytes, 0x50, 0x4b)) {
    const book = await rowsOfXlsx(bytes, limits, reading.sheet);
    const { name } = book.sheets.find(({ place }) => place === book.sheet) ?? {};
    const others = book.sheets.length - 1;
    const notes: Note[] = others > 0 ? [{ what: 'sheets', others, ...(name && { name }) }] : [];
    return { format: 'xlsx', notes, ...book };
  }
  // Leave room for titles, headings and totals, which do not count.
  const { rows, encoding } = rowsOfCsv(bytes, {
    most: limits.rows + 1_000,
    tooMany: () => tooManyRows(limits),
  });
  const notes: Note[] = encoding === 'utf-8' ? [] : [{ what: 'encoding', encoding }];
  return { format: 'csv', rows, merged: [], notes, sheet: 1, sheets: [], hidden: new Set() };
}

/** Reads a spreadsheet. Throws a Refusal if it is not one, or unsupported. */
export const readTable = async (
  bytes: Uint8Array,
  limits: TableLimits,
  reading: Reading = {},
): Promise<Table> => tableOf(await read(bytes, limits, reading), limits, reading);
