import { open } from 'node:fs/promises';
import type { Receiver } from './receiver.ts';

/** A batch is looked for in this much of the file's end: several times the longest. */
const tailBytes = 4 * 1024 * 1024;

/**
 * Appends lines to a file, onto the disk, each once: what a process that died in between wrote is
 * found at the file's end, and half a line there is written whole.
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
      if (missing.length === 0) return;
      const begin = text === '' || text.endsWith('\n') ? '' : '\n';
      await file.appendFile(begin + missing.map((line) => `${line}\n`).join(''));
      await file.sync();
    } finally {
      await file.close();
    }
  },
});
