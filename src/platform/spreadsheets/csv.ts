import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { unguarded } from '../../kernel/csv.ts';
import type { Refusal } from '../errors.ts';
import { refusal } from './codes.ts';
import { type Encoding, textOf } from './encoding.ts';

const delimiters = [',', ';', '\t', '|'];

/** Matches quoted cells, which may contain separators. */
const quoted = /"[^"]*"/g;
/** Number of characters in which to detect the separator. */
const longestHeadings = 65_536;

/** Detects the separator, and whether a first line declares it (`sep=;`). */
function layoutOf(text: string): { delimiter: string; fromLine: 1 | 2 } {
  const [first = ''] = text.split(/[\r\n]/, 1);
  const [, said] = /^sep=(.)$/i.exec(first) ?? [];
  if (said !== undefined) return { delimiter: said, fromLine: 2 };
  // A title above the headings has no separators, and a quoted heading may contain line breaks.
  const start = text.slice(0, longestHeadings).replaceAll(quoted, '');
  const [signs = ''] = /^.*[,;\t|].*$/m.exec(start) ?? [];
  const cellsBy = (sign: string): number => signs.split(sign).length;
  const delimiter = delimiters.toSorted((a, b) => cellsBy(b) - cellsBy(a))[0] ?? ',';
  return { delimiter, fromLine: 1 };
}

/** Excel's way to preserve zeros: a formula that is one text. */
const textFormula = /^="([^"]*)"$/;

/** Returns a cell's text without guards against formulas and conversions. */
function saidIn(cell: string): string {
  const text = unguarded(cell);
  if (text !== cell) return text.trim();
  return textFormula.exec(cell)?.[1] ?? cell;
}

const isFilled = (row: readonly string[]): boolean => row.some((cell) => cell !== '');

const emptyRow: string[] = [];

/** Maximum number of rows in spreadsheet programs, empty ones included. */
const mostPlaces = 1_048_576;

export interface CsvLimits {
  /** Maximum number of non-empty rows. */
  most: number;
  /** Thrown above the maximum, because rows are never silently dropped. */
  tooMany(): Refusal;
}

/**
 * Parses a CSV file as spreadsheets write it: comma, semicolon, tab or bar; UTF-8, UTF-16 or
 * Windows-1252. Keeps empty rows, so that row numbers match the spreadsheet's. Throws a Refusal for
 * a malformed file or too many rows.
 */
export function rowsOfCsv(
  bytes: Uint8Array,
  { most, tooMany }: CsvLimits,
): { rows: string[][]; encoding: Encoding } {
  const { text, encoding } = textOf(bytes);
  let filled = 0;
  let places = 0;
  const counted = (row: string[]): string[] => {
    places += 1;
    if (isFilled(row)) filled += 1;
    if (filled > most || places > mostPlaces) throw tooMany();
    return isFilled(row) ? row.map(saidIn) : emptyRow;
  };
  try {
    const rows: string[][] = parse(text, {
      ...layoutOf(text),
      // Lines added by other programs may have other endings.
      recordDelimiter: ['\r\n', '\n', '\r'],
      relaxColumnCount: true,
      relaxQuotes: true,
      trim: true,
      onRecord: counted,
    });
    return { rows, encoding };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The parser's own message names the last line of the file for an open quote.
    throw refusal('spreadsheet.not_csv', { row: Number(error.records) + 1 });
  }
}
