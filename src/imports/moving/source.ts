import { createReadStream } from 'node:fs';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { unguarded } from '../../kernel/csv.ts';
import { createItemReader, MalformedDocument } from '../../kernel/json-items.ts';
import { refusal } from '../codes.ts';
import type { SourceRow } from './row.ts';

/** Rows that are checked or written together. */
const batchRows = 500;
/** Bytes per read, a millisecond or two of work. */
const sliceBytes = 64 * 1024;
const largestItemBytes = 1024 * 1024;
const mostItems = 10_000_000;

const openBracket = 0x5b;

async function* slicesOf(file: string): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(file, { highWaterMark: sliceBytes })) {
    yield piece as Buffer;
    await othersTurn();
  }
}

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
    for await (const slice of asPage(slicesOf(file))) yield reader.push(slice);
    const { members, count } = reader.end();
    if (count === 0 && 'id' in members) yield [members];
  } catch (error) {
    if (!(error instanceof MalformedDocument)) throw error;
    throw refusal('import.move_not_json', { file, why: error.message });
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

/** Yields the rows of files in order, in batches. */
export async function* rowsOf(files: readonly string[]): AsyncGenerator<SourceRow[]> {
  for (const file of files) {
    let waiting: SourceRow[] = [];
    let row = isCsv(file) ? 1 : 0;
    for await (const values of isCsv(file) ? recordsOf(file) : itemsOf(file)) {
      for (const value of values) {
        row += 1;
        waiting.push({ file, row, value });
      }
      while (waiting.length >= batchRows) {
        yield waiting.slice(0, batchRows);
        waiting = waiting.slice(batchRows);
        await othersTurn();
      }
    }
    if (waiting.length > 0) yield waiting;
  }
}
