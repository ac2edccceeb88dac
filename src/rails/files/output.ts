import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Envelope } from '../../platform/envelope.ts';

export const joined = (lines: string[]): string => lines.map((line) => `${line}\r\n`).join('');

export type PutLines = (lines: string[]) => Promise<void>;

/**
 * Creates a file that only its owner can read, whatever the umask. Replaces the name instead of
 * opening it, so that a process with the old file open, or a planted link, gets nothing.
 */
async function openPrivate(target: string): Promise<FileHandle> {
  await rm(target, { force: true });
  const file = await open(target, 'wx', 0o600);
  await file.chmod(0o600);
  return file;
}

export interface LineTerms {
  /** Encrypts the file, so that plain text never reaches the disk. */
  envelope?: Envelope | null;
}

/** Writes lines that end in CR LF and syncs the file. Returns the SHA-256 of the lines. */
export async function writeLines(
  target: string,
  write: (put: PutLines) => Promise<void>,
  { envelope = null }: LineTerms = {},
): Promise<Buffer> {
  const file = await openPrivate(target);
  const hash = createHash('sha256');
  const plain: Buffer[] = [];
  try {
    await write(async (lines) => {
      const bytes = Buffer.from(joined(lines), 'latin1');
      hash.update(bytes);
      if (envelope) plain.push(bytes);
      else await file.write(bytes);
    });
    if (envelope) await file.write(await envelope.encrypt(Buffer.concat(plain)));
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest();
}
