import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { unguarded } from '../../kernel/csv.ts';
import { createItemReader } from '../../kernel/json-items.ts';
import { MalformedDocument } from '../../kernel/malformed-document.ts';
import { itemsIn, pagesOf } from '../../platform/imports/items.ts';
import { documentText } from '../../platform/json-document.ts';
import { refusal } from '../codes.ts';
import type { SourceRow } from './row.ts';

/** Rows that are checked or written together. */
const batchRows = 500;
const largestItemBytes = 1024 * 1024;
const mostItems = 10_000_000;

const openBracket = 0x5b;

/** Wraps a bare array as a page, so that one reader parses both. */
async function* asPage(slices: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isBare: boolean | null = null;
  for await (const slice of slices) {
    const start: number =
      isBare === null ? slice.findIndex((byte) => byte > 0x20 && byte < 0x80) : -1;
    if (isBare === null && start >= 0) {
      isBare = slice[start] === openBracket;
      if (isBare) yield Buffer.from('{"data":');
      yield isBare ? slice.subarray(start) : slice;
    } else yield slice;
  }
  if (isBare) yield Buffer.from('}');
}

/** Yields the items of a page, of an array, or of a file with a single object. */
async function* itemsOf(file: string): AsyncGenerator<unknown[]> {
  const reader = createItemReader({
    list: 'data',
    maxItems: mostItems,
    maxItemBytes: largestItemBytes,
    ...{ maxDepth: 100, maxValues: 10_000, maxNumberLength: 1_000 },
  });
  try {
    yield* itemsIn(asPage(createReadStream(file)), reader);
    const { members, count } = reader.end();
    if (count === null && 'id' in members) yield [members];
  } catch (error) {
    if (!(error instanceof MalformedDocument)) throw error;
    throw refusal('import.move_not_json', { file, why: documentText(error) });
  }
}

/** Yields the rows of a CSV file by its column names. */
async function* recordsOf(file: string): AsyncGenerator<unknown[]> {
  const cells = createReadStream(file).pipe(
    parse({ bom: true, columns: true, trim: true, cast: (cell) => unguarded(cell) }),
  );
  try {
    for await (const record of cells) yield [{ state: 'signed', evidence_text: '', ...record }];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusal('import.move_not_csv', { file, why: error.message });
  }
}

const isCsv = (file: string): boolean => file.toLowerCase().endsWith('.csv');

async function* rowsIn(file: string): AsyncGenerator<SourceRow[]> {
  let row = isCsv(file) ? 1 : 0;
  for await (const values of isCsv(file) ? recordsOf(file) : itemsOf(file)) {
    yield values.map((value) => ({ file, row: ++row, value }));
  }
}

/** Yields the rows of files in order, in batches. */
export async function* rowsOf(files: readonly string[]): AsyncGenerator<SourceRow[]> {
  for (const file of files) yield* pagesOf(rowsIn(file), batchRows);
}
