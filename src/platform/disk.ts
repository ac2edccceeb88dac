import { statfs } from 'node:fs/promises';

/** Warn below this much free space. */
export const leastFreeBytes = 1024 ** 3;

export interface DiskRoom {
  free: number;
  total: number;
}

/**
 * Returns the bytes that an unprivileged user may still write to a folder's disk, and the disk's
 * size.
 */
export async function diskRoom(folder: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
