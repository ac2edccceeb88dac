import { createReadStream } from 'node:fs';
import { checkDocument, itemsFrom } from '../../qr/index.ts';
import { spreadsheetRows } from './spreadsheet.ts';

/** A file of QRs that was read once from end to end: it is whole. */
export interface ItemFile {
  total: number;
  /** The items, so many at a time. */
  pages(size: number): AsyncIterable<unknown[]>;
}

async function documentFile(path: string): Promise<ItemFile> {
  const checked = await checkDocument(createReadStream(path), async () => {});
  if ('fault' in checked) throw new Error(checked.fault);
  return {
    total: checked.totalCount,
    pages: (size) => itemsFrom(createReadStream(path), 0, size),
  };
}

async function* inPages<T>(rows: readonly T[], size: number): AsyncGenerator<T[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

async function spreadsheetFile(path: string): Promise<ItemFile> {
  const rows = await spreadsheetRows(path);
  if (rows.length === 0) throw new Error('The file has no rows below its first line.');
  return { total: rows.length, pages: (size) => inPages(rows, size) };
}

/** Whether the first thing in a file is a brace. */
async function looksLikeJson(path: string): Promise<boolean> {
  for await (const piece of createReadStream(path, { encoding: 'utf8', end: 1_023 })) {
    return /^\uFEFF?\s*\{/.test(String(piece));
  }
  return false;
}

/** Opens a file of QRs: the service's JSON document, or CSV. Throws a sentence if it is neither. */
export const openItemFile = async (path: string): Promise<ItemFile> =>
  (await looksLikeJson(path)) ? await documentFile(path) : await spreadsheetFile(path);
