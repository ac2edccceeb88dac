import { totalmem } from 'node:os';

const mebibyte = 1024 * 1024;

/** Returns this machine's memory, or the container's limit if it is lower. */
const available = (): number => Math.min(totalmem(), process.constrainedMemory() || totalmem());

const share = (bytes: number, part: number, least: number, most: number): string => {
  const megabytes = Math.floor(bytes / part / mebibyte);
  return `${Math.min(most, Math.max(least, megabytes))}MB`;
};

/**
 * Returns memory settings. On a small machine, buffers and work memory are PostgreSQL's defaults,
 * because the service runs there too. `max_wal_size` is larger, because fewer checkpoints mean
 * fewer full-page writes.
 */
export const memorySettings = (bytes = available()): Record<string, string> => ({
  shared_buffers: share(bytes, 8, 128, 1024),
  effective_cache_size: share(bytes, 2, 512, 8192),
  maintenance_work_mem: share(bytes, 64, 64, 256),
  // Per step of a statement. Large enough that batches of a file's lines stay off the disk.
  work_mem: share(bytes, 256, 4, 16),
  max_wal_size: '2GB',
});
