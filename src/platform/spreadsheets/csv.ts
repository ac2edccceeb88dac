import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { Refusal } from '../errors.ts';
import { type Encoding, textOf } from './encoding.ts';

const delimiters = [',', ';', '\t'];

/** How a file's cells are parted, and whether its first line says so (`sep=;`) and is no row. */
function layoutOf(text: string): { delimiter: string; fromLine: 1 | 2 } {
  const [line = ''] = text.split('\n', 1);
  const [, said] = /^sep=(.)\r?$/i.exec(line) ?? [];
  if (said !== undefined) return { delimiter: said, fromLine: 2 };
  const cellsBy = (sign: string): number => line.split(sign).length;
  const delimiter = delimiters.toSorted((a, b) => cellsBy(b) - cellsBy(a))[0] ?? ',';
  return { delimiter, fromLine: 1 };
}

/**
 * The rows of a CSV file as spreadsheets write them: comma, semicolon or tab; UTF-8, UTF-16 or
 * Windows-1252. Empty rows stay, so that a row's place is the one that a spreadsheet shows.
 */
export function rowsOfCsv(
  bytes: Uint8Array,
  { most }: { most?: number } = {},
): { rows: string[][]; encoding: Encoding } {
  const { text, encoding } = textOf(bytes);
  try {
    const rows: string[][] = parse(text, {
      ...layoutOf(text),
      relaxColumnCount: true,
      relaxQuotes: true,
      trim: true,
      ...(most !== undefined && { to: most }),
    });
    return { rows, encoding };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Refusal('malformed', `The file is not CSV: ${error.message}.`);
  }
}
