import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** A file on disk, by its path, or an upload. */
export type Source = string | { readonly name: string; readonly bytes: Buffer };

export const sourceName = (source: Source): string =>
  path.basename(typeof source === 'string' ? source : source.name);

/** Lines of a file, with the running hash up to them. */
export interface LineGroup {
  lines: string[];
  /** SHA-256, independent of line break style and trailing blanks. */
  digest: Buffer;
}

const groupSize = 1_000;
/** No rail's lines come near this length, so such a file is of another kind. */
const longestLine = 2_000;
const chunkBytes = 256 * 1024;
/** Ctrl-Z, which programs of the DOS era leave at the end of a file. */
const endMark = '\x1a';

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Yields uploads piece by piece as well, so that other work gets its turn. */
async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield bytes.subarray(start, start + chunkBytes);
    await setImmediate();
  }
}

const chunksOf = (source: Source): AsyncIterable<unknown> =>
  typeof source === 'string'
    ? createReadStream(source, { highWaterMark: chunkBytes })
    : pieces(source.bytes);

/** Yields lines without CR LF or LF, and drops trailing blank lines and the end mark. */
async function* singleLines(file: Source): AsyncGenerator<string[]> {
  let open = '';
  let blank = false;
  const textLines = (raw: string[]): string[] => {
    const lines: string[] = [];
    for (const line of raw) {
      if (line === '' || line === endMark) {
        blank = true;
        continue;
      }
      // A blank line in the middle is a fault; reporting the first one is enough.
      if (blank) lines.push('');
      blank = false;
      lines.push(line.length > longestLine ? line.slice(0, longestLine) : line);
    }
    return lines;
  };
  for await (const chunk of chunksOf(file)) {
    const parts = (open + (chunk as Buffer).toString('latin1')).split('\n');
    open = (parts.pop() ?? '').slice(0, longestLine);
    yield textLines(parts.map(withoutReturn));
  }
  const last = open.endsWith(endMark) ? open.slice(0, -1) : open;
  yield textLines([withoutReturn(last)]);
}

/** Transfers may trim blanks: with or without them a file is the same. */
function trimmed(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  return line.slice(0, end);
}

const grouped = (hash: Hash, lines: string[]): LineGroup => ({
  lines,
  digest: hash
    .update(`${lines.map(trimmed).join('\n')}\n`, 'latin1')
    .copy()
    .digest(),
});

/** Reads a Latin-1 file of any size, in groups of constant size. */
export async function* readLines(file: Source): AsyncGenerator<LineGroup> {
  const hash = createHash('sha256');
  let waiting: string[] = [];
  for await (const lines of singleLines(file)) {
    waiting.push(...lines);
    while (waiting.length >= groupSize) {
      yield grouped(hash, waiting.slice(0, groupSize));
      waiting = waiting.slice(groupSize);
    }
  }
  if (waiting.length > 0) yield grouped(hash, waiting);
}
