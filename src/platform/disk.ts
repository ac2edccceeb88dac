import { statfs } from 'node:fs/promises';

/** With less it is time to make room. */
export const leastFreeBytes = 1024 ** 3;

export interface DiskRoom {
  free: number;
  total: number;
}

/** How much whoever is not root may still write where a folder lies. */
export async function diskRoom(folder: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
