import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** A file on the disk by its path, or an upload. */
export type Source = string | { readonly name: string; readonly bytes: Buffer };

export const sourceName = (source: Source): string =>
  path.basename(typeof source === 'string' ? source : source.name);

/** Lines of a file, and a hash of all lines up to here. */
export interface LineGroup {
  lines: string[];
  /** SHA-256; neither the kind of line break nor blanks at the end of a line change it. */
  digest: Buffer;
}

const groupSize = 1_000;
/** No rail has lines near as long: what has them is some other file. */
const longestLine = 2_000;
const chunkBytes = 256 * 1024;
/** Ctrl-Z, which programs of the DOS era leave at the end of a file. */
const endMark = '\x1a';

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Uploads are read piece by piece too, so that other work has its turn in between. */
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

/** Single lines, without CR LF or LF; blank ones and an end mark behind the last are left out. */
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
      // In the middle they are a fault, of the first of them: the others need not be counted.
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

/** Transfers trim blanks: with or without them a file is the same file. */
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

/** Reads a file of Latin-1 text, however large, in groups of the same size each time. */
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
