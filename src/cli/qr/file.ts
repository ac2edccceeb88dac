import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pagesOf } from '../../platform/imports/items.ts';
import { readSpreadsheet } from '../../platform/spreadsheets/read.ts';
import { beginsLikeDocument, checkDocument, itemsFrom, sheetOf } from '../../qr/index.ts';

/** A file of QRs that was already read to the end, and so is complete. */
export interface ItemFile {
  total: number;
  /** The file's heading for each field. Fields without one keep their name. */
  headings: ReadonlyMap<string, string>;
  /** Yields the items in pages of `size`. */
  pages(size: number): AsyncIterable<unknown[]>;
}

async function documentFile(path: string): Promise<ItemFile> {
  const checked = await checkDocument(createReadStream(path), async () => {});
  if ('fault' in checked) throw new Error(String(checked.fault));
  return {
    total: checked.totalCount,
    headings: new Map(),
    pages: (size) => itemsFrom(createReadStream(path), 0, size),
  };
}

/** Far above any realistic batch. */
const sheetLimits = { rows: 1_000_000, columns: 1_000 };

async function spreadsheetFile(path: string): Promise<ItemFile> {
  const table = await readSpreadsheet(await readFile(path), sheetLimits, 'command');
  const { headings, rowsOf } = sheetOf(table);
  return {
    total: table.count,
    headings,
    pages: (size) => {
      const lists = table.pages.values().map((page) => rowsOf(page).map(({ item }) => item));
      return pagesOf<unknown>(lists, size);
    },
  };
}

/** Returns true if the file begins with a brace. */
async function looksLikeJson(path: string): Promise<boolean> {
  for await (const piece of createReadStream(path, { encoding: 'utf8', end: 1_023 })) {
    return beginsLikeDocument(String(piece));
  }
  return false;
}

/**
 * Opens a file of QRs: the service's JSON document, or a spreadsheet (CSV, XLSX). Throws an
 * explanation if it is neither.
 */
export const openItemFile = async (path: string): Promise<ItemFile> =>
  (await looksLikeJson(path)) ? await documentFile(path) : await spreadsheetFile(path);
