import { lstat, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { withAdvisoryLock } from '../../platform/postgres/advisory-lock.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { erase } from '../files/shred.ts';
import { outboundDebits } from './formats.ts';

/** Serializes exports, because all files take debits from the same table. */
export const lockName = 'debit files out';

/** Returns a debit file's temporary name. */
export const partIn = (directory: string, rail: string, fileId: number): string =>
  path.join(directory, `${rail}-${fileId}.part`);

const partName = new RegExp(`^(${outboundDebits.map(({ name }) => name).join('|')})-\\d+\\.part$`);

export const isPart = (file: string): boolean => partName.test(path.basename(file));

/**
 * Shreds leftovers of interrupted exports in a directory. Call it under the lock, so that no
 * process is writing one.
 */
export async function removeParts(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name);
    if (!isPart(name)) continue;
    const found = await lstat(file).catch(() => null);
    // Links may lead to files that are not ours to overwrite.
    if (found?.isFile() && found.nlink === 1) await erase(file, found.size);
    else if (!found?.isDirectory()) await rm(file, { force: true });
  }
}

/** Shreds one leftover unless an export is writing it. Throws if it does not exist. */
export async function shredPart(sql: Sql, file: string): Promise<void> {
  await withAdvisoryLock(sql, lockName, { mode: 'exclusive', wait: true }, async () => {
    const found = await lstat(file).catch(() => null);
    if (!found?.isFile() || found.nlink > 1) {
      throw new Error(`There is no file ${file}, or it is a link.`);
    }
    await erase(file, found.size);
  });
}
