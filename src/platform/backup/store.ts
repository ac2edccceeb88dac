import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { refusal } from './codes.ts';

export interface StoredObject {
  name: string;
  bytes: number;
}

/** Stores objects by name. Names are paths with slashes. */
export interface BackupStore {
  /** The store's address, for messages. */
  place: string;
  /** Stores an object completely or not at all. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Returns null for an unknown object. */
  get(name: string): Promise<Buffer | null>;
  /** Lists the objects below a folder, sorted by name. */
  list(folder: string): Promise<StoredObject[]>;
  remove(name: string): Promise<void>;
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));

/** Returns true for a full disk, a quota, or a file size limit. */
const isFull = (error: unknown): error is NodeJS.ErrnoException =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String((error as NodeJS.ErrnoException).code));

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}

/** Suffix of incomplete files. */
const partial = '.part';

/** Stores objects as files of a folder, readable by their owner only. */
export function folderStore(root: string): BackupStore {
  const fileOf = (name: string): string => path.join(root, ...name.split('/'));
  return {
    place: root,
    async put(name, bytes) {
      const file = fileOf(name);
      const folder = path.dirname(file);
      const own = `${file}.${randomBytes(4).toString('hex')}${partial}`;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const handle = await open(own, 'wx', 0o600);
        try {
          await handle.writeFile(bytes);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(own, file);
      } catch (error) {
        await rm(own, { force: true }).catch(() => {});
        if (!isFull(error)) throw error;
        throw refusal('backup.store_full', { place: root, why: String(error.code) });
      }
      await syncFolder(folder);
    },
    async get(name) {
      return await readFile(fileOf(name)).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
    },
    async list(folder) {
      const names = await readdir(fileOf(folder), { recursive: true }).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      const found: StoredObject[] = [];
      for (const name of names.toSorted()) {
        const file = path.join(fileOf(folder), name);
        const entry = await stat(file).catch(() => null);
        if (entry === null || !entry.isFile() || name.endsWith(partial)) continue;
        found.push({ name: `${folder}/${name.split(path.sep).join('/')}`, bytes: entry.size });
      }
      return found;
    },
    async remove(name) {
      const file = fileOf(name);
      await rm(file, { force: true });
      const folder = path.dirname(file);
      // Remove leftovers of a killed process together with the last complete file.
      const left = await readdir(folder).catch(() => []);
      if (left.length > 0 && !left.every((one) => one.endsWith(partial))) return;
      for (const one of left) await rm(path.join(folder, one), { force: true });
      await rmdir(folder).catch(() => {});
    },
  };
}
