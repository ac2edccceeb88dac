import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

export const joined = (lines: string[]): string => lines.map((line) => `${line}\r\n`).join('');

/** Puts lines into a file. */
export type PutLines = (lines: string[]) => Promise<void>;

/** Writes a file by lines that end in CR LF, onto the disk; answers its SHA-256. */
export async function writeLines(
  target: string,
  write: (put: PutLines) => Promise<void>,
): Promise<Buffer> {
  const file = await open(target, 'w');
  const hash = createHash('sha256');
  try {
    await write(async (lines) => {
      const text = joined(lines);
      hash.update(text, 'latin1');
      await file.write(text, null, 'latin1');
    });
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest();
}

/** Under another name until it is whole, so that nobody sends half of it. */
export async function whole<T>(target: string, write: (part: string) => Promise<T>): Promise<T> {
  const part = `${target}.part`;
  try {
    const result = await write(part);
    await rename(part, target);
    return result;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
