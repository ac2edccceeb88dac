import { statfs } from 'node:fs/promises';

/** With less it is time to make room. */
export const leastFreeBytes = 1024 ** 3;

export interface DiskRoom {
  free: number;
  total: number;
}

/** Returns the bytes that an unprivileged user may still write on the disk of a folder. */
export async function diskRoom(folder: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}
