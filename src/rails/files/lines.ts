import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** The path of a file on disk, or an upload. */
export type Source = string | { readonly name: string; readonly bytes: Buffer };

export const sourceName = (source: Source): string =>
  path.basename(typeof source === 'string' ? source : source.name);

/** A group of lines, and the running hash up to its end. */
export interface LineGroup {
  lines: string[];
  /** SHA-256, independent of line endings and trailing blanks. */
  digest: Buffer;
}

const groupSize = 1_000;
/** Maximum length of a line. Longer ones belong to some other kind of file. */
const longestLine = 2_000;
const chunkBytes = 256 * 1024;
/** Ctrl-Z, which DOS programs append to files. */
const endMark = '\x1a';

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** Yields chunks of an upload, so that reading it does not block the event loop. */
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

/** Yields lines without CR LF or LF. Drops trailing blank lines and the end mark. */
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
      // A blank line in the middle is a fault, and reporting the first one is enough.
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

/** Drops trailing blanks, so that the digest is the same if a file transfer trims them. */
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

/**
 * Reads a Latin-1 file of any size in groups of constant size. Lets the event loop turn after each,
 * because a chunk of the file may hold many.
 */
export async function* readLines(file: Source): AsyncGenerator<LineGroup> {
  const hash = createHash('sha256');
  let waiting: string[] = [];
  for await (const lines of singleLines(file)) {
    for (const line of lines) {
      waiting.push(line);
      if (waiting.length < groupSize) continue;
      yield grouped(hash, waiting);
      waiting = [];
      await setImmediate();
    }
  }
  if (waiting.length > 0) yield grouped(hash, waiting);
}
