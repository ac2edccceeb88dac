import { setImmediate as othersTurn } from 'node:timers/promises';
import { readSpreadsheet } from '../../platform/spreadsheets/read.ts';
import type { Table } from '../../platform/spreadsheets/table.ts';
import { BrokenItem } from '../item.ts';
import { mostItems } from './batch.ts';
import { refusal } from './codes.ts';
import { beginsLikeDocument } from './processing/document.ts';
import { type SheetRow, sheetOf } from './sheet.ts';

/** Maximum number of unreadable rows that the error names. */
const mostNamed = 5;

const isBroken = ({ item }: SheetRow): boolean => item instanceof BrokenItem;

function refuseBroken(broken: readonly number[]): void {
  if (broken.length === 0) return;
  const named = broken.slice(0, mostNamed).join(', ');
  const rows = broken.length > mostNamed ? `${named}, …` : named;
  throw refusal('qr_upload.rows_broken', { rows });
}

/** Converts rows to items, a page at a time, yielding to other work. */
async function itemsOf(table: Table): Promise<string[]> {
  const { rowsOf } = sheetOf(table);
  const broken: number[] = [];
  const pages: string[] = [];
  for (const page of table.pages) {
    await othersTurn();
    const rows = rowsOf(page);
    broken.push(...rows.filter(isBroken).map(({ number }) => number));
    pages.push(rows.map(({ item }) => JSON.stringify(item)).join(','));
  }
  refuseBroken(broken);
  return pages;
}

async function* written(count: number, pages: readonly string[]): AsyncGenerator<Buffer> {
  yield Buffer.from(`{"total_count":${count},"data":[`);
  for (const [index, page] of pages.entries()) {
    await othersTurn();
    yield Buffer.from(`${index === 0 ? '' : ','}${page}`);
  }
  yield Buffer.from(']}');
}

async function* whole(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/**
 * Streams a file's document: the file itself, or the rows of a spreadsheet (CSV, XLSX). Throws a
 * Refusal before the first piece if it is neither, or has unreadable rows, which a document cannot
 * report.
 */
export async function documentOf(bytes: Buffer, holder: string): Promise<AsyncIterable<Buffer>> {
  if (beginsLikeDocument(bytes.toString('utf8', 0, 1_024))) return whole(bytes);
  const table = await readSpreadsheet(bytes, { rows: mostItems, columns: 100 }, holder);
  return written(table.count, await itemsOf(table));
}
