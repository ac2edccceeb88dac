import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import type { Acting } from '../../platform/base.ts';
import { readLines } from './lines.ts';
import { findByDigest, noteShredded, type RailFile } from './store.ts';

const pieceBytes = 1024 * 1024;

/** Returns the possible digests of a file: of its bytes if exported, else of its lines. */
async function digestsOf(file: string): Promise<Buffer[]> {
  const whole = createHash('sha256');
  for await (const chunk of createReadStream(file)) whole.update(chunk as Buffer);
  let lines: Buffer | null = null;
  for await (const { digest } of readLines(file)) lines = digest;
  return [whole.digest(), ...(lines ? [lines] : [])];
}

/** Overwrites a file with random bytes and removes it. */
export async function erase(file: string, size: number): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    for (let index = 0; index < size; index += pieceBytes) {
      const piece = randomBytes(Math.min(pieceBytes, size - index));
      await handle.write(piece, 0, piece.length, index);
    }
    await handle.sync();
    await handle.truncate(0);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rm(file);
}

/**
 * Overwrites a rail's file with random bytes and removes it. Accepts only files that were imported
 * or exported here, so that a typo destroys nothing else. Disks that do not write in place (SSDs,
 * snapshots) may keep the old bytes. Encrypted files need no shredding.
 */
export async function shredFile(acting: Acting, file: string): Promise<RailFile> {
  const found = await lstat(file).catch(() => null);
  if (!found?.isFile()) throw new Error(`There is no file ${file}, or it is a link.`);
  if (found.nlink > 1) {
    throw new Error(
      `The file ${file} has another name too: what is there is not for us to remove.`,
    );
  }
  const known = await findByDigest(acting.sql, await digestsOf(file));
  if (!known) throw new Error(`${file} is not a file that was exported or imported here.`);
  const eventId = await acting.recordIds.next();
  await erase(file, found.size);
  await noteShredded(acting.sql, { ...acting, eventId }, known);
  return known;
}
