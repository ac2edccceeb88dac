import { open } from 'node:fs/promises';
import type { Receiver } from './receiver.ts';

/** Bytes at the file's end to search for a batch, several times the longest batch. */
const tailBytes = 4 * 1024 * 1024;

/**
 * Appends lines to a file, each once, and syncs it. Skips lines that a crashed process wrote, and
 * starts a new line after a partial one.
 */
export const fileReceiver = (path: string): Receiver => ({
  async send(lines) {
    const file = await open(path, 'a+', 0o600);
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - tailBytes);
      const tail = Buffer.alloc(size - from);
      await file.read(tail, 0, tail.length, from);
      const text = tail.toString('utf8');
      const known = new Set(text.split('\n').slice(0, -1));
      const missing = lines.filter((line) => !known.has(line));
      if (missing.length > 0) {
        const begin = text === '' || text.endsWith('\n') ? '' : '\n';
        await file.appendFile(begin + missing.map((line) => `${line}\n`).join(''));
      }
      // A process that crashed may have written known lines without syncing them.
      await file.sync();
    } finally {
      await file.close();
    }
  },
});
