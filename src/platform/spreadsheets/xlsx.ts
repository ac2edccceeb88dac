import { unzipSync } from 'fflate';
import { type CellValue, readSheet } from 'read-excel-file/universal';
import { Refusal } from '../errors.ts';
import type { Cell } from './cells.ts';

/** Most bytes of what a workbook unpacks to: ten times what the largest one of ours has. */
const mostUnpacked = 256 * 1024 * 1024;
/** Parts of a workbook: a few for each of its sheets. */
const mostParts = 2_000;

const malformed = (message: string): Refusal => new Refusal('malformed', message);

const broken = (): Refusal =>
  malformed('The file is not a workbook that can be read: open it and save it as XLSX again.');

/** The parts of a workbook by what its directory says, before anything of it is unpacked. */
function partsOf(bytes: Uint8Array): string[] {
  const names: string[] = [];
  let unpacked = 0;
  const look = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    names.push(name);
    unpacked += originalSize;
    if (unpacked > mostUnpacked || names.length > mostParts) {
      throw new Refusal(
        'too_large',
        `The workbook unpacks to more than ${mostUnpacked / 1024 / 1024} MiB: that is no list of payments.`,
      );
    }
    return false;
  };
  try {
    unzipSync(bytes, { filter: look });
  } catch (error) {
    throw error instanceof Refusal ? error : broken();
  }
  return names;
}

const textIn = (bytes: Uint8Array, wanted: (name: string) => boolean): string => {
  const found = Object.values(unzipSync(bytes, { filter: ({ name }) => wanted(name) }));
  return found.map((part) => new TextDecoder().decode(part)).join('');
};

/** Where the first sheet of a workbook is among its parts. */
function firstSheetPart(bytes: Uint8Array): string {
  const workbook = textIn(bytes, (name) => name === 'xl/workbook.xml');
  const relation = /<sheet\b[^>]*\br:id="([^"]+)"/.exec(workbook)?.[1];
  const relations = textIn(bytes, (name) => name === 'xl/_rels/workbook.xml.rels');
  const tags = relations.match(/<Relationship\b[^>]*>/g) ?? [];
  const target = tags
    .find((tag) => tag.includes(`Id="${relation}"`))
    ?.match(/\bTarget="([^"]+)"/)?.[1];
  if (target === undefined) throw broken();
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

/** Ranges of merged cells as the sheet names them (`A5:A9`), with their last rows. */
function mergedIn(sheet: string): { range: string; lastRow: number }[] {
  return [...sheet.matchAll(/<mergeCell\b[^>]*\bref="([A-Z]+\d+:[A-Z]+(\d+))"/g)].map(
    ([, range = '', row = '0']) => ({ range, lastRow: Number(row) }),
  );
}

/** Place of a column by its letters, from 0. */
const placeOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

const errorCell = /<c\b([^>]*\bt="e"[^>]*)>(?:<f\b[^>]*\/>|<f\b[^>]*>[^<]*<\/f>)?<v>([^<]*)<\/v>/g;

/** Writes down where formulas failed: the library leaves such cells empty. */
function markErrors(rows: Cell[][], sheet: string): void {
  for (const [, attributes = '', error = ''] of sheet.matchAll(errorCell)) {
    const [, letters = '', row = '0'] = /\br="([A-Z]+)(\d+)"/.exec(attributes) ?? [];
    const cells = rows[Number(row) - 1];
    if (cells) cells[placeOf(letters)] = error;
  }
}

function checkParts(parts: readonly string[]): void {
  if (parts.some((name) => /vbaProject|\/macrosheets\//i.test(name))) {
    throw new Refusal(
      'unsupported_type',
      'The workbook has macros, which are not taken: save it as XLSX without them.',
    );
  }
  if (!parts.includes('xl/workbook.xml')) throw broken();
}

const cellOf = (value: CellValue | null): Cell => {
  if (value === null) return '';
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return (value as unknown as Date).toISOString();
};

/** Why the library reads no sheet, as a sentence. */
const refusalOf = (error: unknown): Refusal => {
  const at = error instanceof Error ? /row (\d+), col (\d+)/.exec(error.message) : null;
  return at
    ? malformed(
        `The cell in row ${at[1]} and column ${at[2]} has no value, such as a formula that was never worked out: open the file and save it again.`,
      )
    : broken();
};

export interface Workbook {
  rows: Cell[][];
  /** How many sheets there are: the first one is read. */
  sheets: number;
  merged: { range: string; lastRow: number }[];
}

/**
 * The first sheet of a workbook. Formulas are never worked out: what the spreadsheet kept as their
 * values counts.
 */
export async function rowsOfXlsx(bytes: Uint8Array): Promise<Workbook> {
  const parts = partsOf(bytes);
  checkParts(parts);
  const part = firstSheetPart(bytes);
  const sheet = textIn(bytes, (name) => name === part);
  try {
    const read = await readSheet(new Uint8Array(bytes).buffer, 1);
    const rows = read.map((row) => row.map(cellOf));
    markErrors(rows, sheet);
    return {
      rows,
      sheets: parts.filter((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name)).length,
      merged: mergedIn(sheet),
    };
  } catch (error) {
    throw refusalOf(error);
  }
}
