import path from 'node:path';
import { zipSync } from 'fflate';
import { type CellValue, readSheet } from 'read-excel-file/universal';
import type { Refusal } from '../errors.ts';
import type { Cell } from './cells.ts';
import { refusal } from './codes.ts';
import { type Formats, formatNumber, formatsIn } from './formats.ts';
import type { TableLimits } from './limits.ts';
import { type Merged, type SheetScan, scanSheet } from './sheet-scan.ts';
import { BrokenZip, partsOf, unpack, type ZipPart } from './unzip.ts';
import { BrokenXml, walkXml } from './xml.ts';

/** Maximum unpacked bytes: several times our largest workbook. */
const mostUnpacked = 128 * 1024 * 1024;
/** Maximum number of parts. Each sheet has a few. */
const mostParts = 2_000;

const broken = (): Refusal => refusal('spreadsheet.not_workbook', {});

function checkParts(parts: readonly ZipPart[]): void {
  const unpacked = parts.reduce((sum, { size }) => sum + size, 0);
  if (unpacked > mostUnpacked || parts.length > mostParts) {
    const most = mostUnpacked / 1024 / 1024;
    throw refusal('spreadsheet.unpacks_too_large', { parts: mostParts, most });
  }
  if (parts.some(({ name }) => /vbaProject|\/macrosheets\//i.test(name))) {
    throw refusal('spreadsheet.macros', {});
  }
}

type ReadPart = (name: string) => Promise<Buffer | null>;

const readerOf =
  (bytes: Buffer, parts: readonly ZipPart[]): ReadPart =>
  async (name) => {
    // The last of duplicate names counts, as for programs that overwrite.
    const part = parts.findLast((one) => one.name === name);
    return part ? await unpack(bytes, part) : null;
  };

interface Relation {
  id: string;
  type: string;
  part: string;
}

/** Parses a list of relations: parts with their types (`worksheet`, `styles`, …). */
function relationsIn(xml: string, folder = 'xl/'): Relation[] {
  const relations: Relation[] = [];
  walkXml(xml, {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const of = attributes();
      const target = of.get('Target') ?? '';
      relations.push({
        id: of.get('Id') ?? '',
        type: (of.get('Type') ?? '').split('/').at(-1) ?? '',
        part: target.startsWith('/') ? target.slice(1) : folder + target,
      });
    },
  });
  return relations;
}

interface SheetName {
  /** Id of its relation. */
  id: string;
  name: string;
  isHidden: boolean;
}

/** A sheet that can be read. */
export interface SheetInfo {
  /** Its position among all sheets, from 1. */
  place: number;
  name: string;
  isHidden: boolean;
}

/** Maximum number of characters in spreadsheet programs. */
const longestSheetName = 31;
/** Maximum number of sheets to choose from. */
const mostSheets = 100;

function sheetsIn(xml: string): SheetName[] {
  const sheets: SheetName[] = [];
  walkXml(xml, {
    open(name, attributes) {
      if (name !== 'sheet') return;
      const of = attributes();
      sheets.push({
        id: of.get('id') ?? '',
        name: (of.get('name') ?? '').slice(0, longestSheetName),
        isHidden: /hidden/i.test(of.get('state') ?? ''),
      });
    },
  });
  return sheets;
}

/** Parts for the library: the workbook's own, and only the chosen sheet. */
interface Parts {
  files: Record<string, Buffer>;
  sheet: Buffer;
  /** The sheet's position, from 1. */
  place: number;
  sheets: SheetInfo[];
  formats: Formats;
}

const workbookPart = 'xl/workbook.xml';
const relationsPart = 'xl/_rels/workbook.xml.rels';

/** Returns the workbook part's path. Some programs call it `workbook2.xml`. */
async function workbookAt(read: ReadPart): Promise<string> {
  const relations = await read('_rels/.rels');
  if (relations === null) return workbookPart;
  const main = relationsIn(relations.toString(), '').find(({ type }) => type === 'officeDocument');
  return main?.part ?? workbookPart;
}

/** Selects sheets with cells, because charts have separate sheets. */
function sheetsWithCells(names: readonly SheetName[], related: readonly Relation[]): SheetInfo[] {
  const types = new Map(related.map(({ id, type }) => [id, type]));
  return names
    .map(({ id, name, isHidden }, index) => ({ id, name, isHidden, place: index + 1 }))
    .filter(({ id }) => types.get(id) === 'worksheet')
    .slice(0, mostSheets)
    .map(({ name, isHidden, place }) => ({ place, name, isHidden }));
}

/**
 * Returns the position of the chosen sheet, else of the first visible one, else of the first.
 * Throws a Refusal if there is none.
 */
function sheetToRead(sheets: readonly SheetInfo[], chosen: number | undefined): number {
  if (chosen === undefined) {
    const first = sheets.find(({ isHidden }) => !isHidden) ?? sheets[0];
    if (!first) throw broken();
    return first.place;
  }
  if (sheets.some(({ place }) => place === chosen)) return chosen;
  throw refusal('spreadsheet.no_such_sheet', { sheet: chosen });
}

async function readParts(read: ReadPart, chosen: number | undefined): Promise<Parts> {
  const at = await workbookAt(read);
  const { dir, base } = path.posix.parse(at);
  const relationsAt = path.posix.join(dir, '_rels', `${base}.rels`);
  // Stored below under their usual paths, which the library expects.
  const [workbook, relations] = [await read(at), await read(relationsAt)];
  if (workbook === null || relations === null) throw broken();
  const names = sheetsIn(workbook.toString());
  const related = relationsIn(relations.toString());
  const sheets = sheetsWithCells(names, related);
  const place = sheetToRead(sheets, chosen);
  const first = related.find(({ id }) => id === names[place - 1]?.id);
  const sheet = first ? await read(first.part) : null;
  if (!first || sheet === null) throw broken();
  const files = { [workbookPart]: workbook, [relationsPart]: relations, [first.part]: sheet };
  let formats: Formats = [];
  for (const { type, part } of related) {
    if (type !== 'sharedStrings' && type !== 'styles') continue;
    const bytes = await read(part);
    if (bytes === null) continue;
    if (type === 'styles') formats = formatsIn(bytes.toString());
    else walkXml(bytes.toString(), {});
    files[part] = bytes;
  }
  return { files, sheet, place, sheets, formats };
}

const cellOf = (value: CellValue | null): Cell => {
  if (value === null) return '';
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return (value as unknown as Date).toISOString();
};

function markErrors(rows: Cell[][], { errors }: SheetScan): void {
  for (const { row, column, error } of errors) {
    const cells = rows[row - 1];
    if (!cells) continue;
    while (cells.length < column) cells.push('');
    cells[column - 1] = error;
  }
}

/** Replaces numbers with their displayed text, which is what people mean. */
function showFormatted(rows: Cell[][], { formatted }: SheetScan): void {
  for (const { row, column, format } of formatted) {
    const cells = rows[row - 1];
    const value = cells?.[column - 1];
    if (cells && typeof value === 'number') cells[column - 1] = formatNumber(value, format);
  }
}

const refusalOf = (error: unknown): Refusal => {
  const at = error instanceof Error ? /row (\d+), col (\d+)/.exec(error.message) : null;
  return at
    ? refusal('spreadsheet.cell_without_value', { row: Number(at[1]), column: Number(at[2]) })
    : broken();
};

export interface Workbook {
  rows: Cell[][];
  /** Position of the sheet that was read, from 1. */
  sheet: number;
  sheets: SheetInfo[];
  /** Rows that are hidden, by their numbers. */
  hidden: ReadonlySet<number>;
  merged: Merged[];
}

/** Reads the cells of checked parts, repacked so that the library unpacks nothing else. */
async function cellsIn(files: Parts['files'], place: number): Promise<Cell[][]> {
  const checked = zipSync(files, { level: 0 });
  try {
    return (await readSheet(checked.buffer, place)).map((row) => row.map(cellOf));
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * Reads a workbook's sheet by position, or the first visible one. Uses stored values of formulas
 * and never computes any. Checks sizes and all cell addresses first.
 */
export async function rowsOfXlsx(
  bytes: Uint8Array,
  limits: TableLimits,
  chosen?: number,
): Promise<Workbook> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const parts = partsOf(archive, mostParts + 1);
    checkParts(parts);
    const read = readerOf(archive, parts);
    const { files, sheet, place, sheets, formats } = await readParts(read, chosen);
    const scan = scanSheet(sheet.toString(), limits, formats);
    const rows = await cellsIn(files, place);
    markErrors(rows, scan);
    showFormatted(rows, scan);
    return { rows, sheet: place, sheets, merged: scan.merged, hidden: scan.hidden };
  } catch (error) {
    if (error instanceof BrokenZip || error instanceof BrokenXml) throw broken();
    throw error;
  }
}
