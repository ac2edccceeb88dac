import { type Centavos, zero } from '../../kernel/money.ts';
import { refusal } from '../codes.ts';
import { counted, LineFault, lineRefusal } from './fault.ts';
import type { LineReader } from './format.ts';
import { readLines, type Source, sourceName } from './lines.ts';

export interface CheckedFile {
  date: Temporal.PlainDate;
  /** Running digests of the lines, one per group. */
  digests: Buffer[];
  sha256: Buffer;
  lines: number;
  total: Centavos;
}

export interface FileEntry {
  amount: Centavos;
}

/** An item and the number of its last line. */
export type Placed<Item> = Item & { line: number };

/** Number of items matched and written per statement. */
const itemsPerChunk = 1_000;

/** Adds file and line number to a LineFault. */
function located<T>(file: Source, no: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof LineFault ? lineRefusal(sourceName(file), no, error) : error;
  }
}

/**
 * Reads a whole file before anything is written. Checks order, layouts, company, counts and totals.
 */
export async function checkFile(reader: LineReader<FileEntry>, file: Source): Promise<CheckedFile> {
  const digests: Buffer[] = [];
  let no = 0;
  let lines = 0;
  let total = zero;
  for await (const group of readLines(file)) {
    for (const line of group.lines) {
      no += 1;
      const item = located(file, no, () => reader.read(line));
      if (item === null) continue;
      lines += 1;
      const { amount } = item;
      total = located(file, no, () => counted(total, amount));
    }
    digests.push(group.digest);
  }
  const { date } = located(file, no + 1, () => reader.end());
  const sha256 = digests.at(-1);
  if (!sha256) throw new Error('a file without lines passed its check');
  return { date, digests, sha256, lines, total };
}

/** Yields the items of a checked file. Throws if the file has changed since. */
export async function* itemsOf<Item extends FileEntry>(
  reader: LineReader<Item>,
  file: Source,
  { digests }: CheckedFile,
): AsyncGenerator<Placed<Item>[]> {
  const waiting: Placed<Item>[] = [];
  let no = 0;
  let group = 0;
  for await (const { lines, digest } of readLines(file)) {
    if (!digests[group]?.equals(digest)) throw refusal('file.changed', {});
    group += 1;
    for (const line of lines) {
      no += 1;
      const item = located(file, no, () => reader.read(line));
      if (item !== null) waiting.push({ ...item, line: no });
    }
    while (waiting.length >= itemsPerChunk) yield waiting.splice(0, itemsPerChunk);
  }
  if (waiting.length > 0) yield waiting;
}
