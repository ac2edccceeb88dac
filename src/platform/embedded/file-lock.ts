import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMilliseconds = 25;
const sayAfterPolls = 80;

/** To hold the file alone, or together with any number of others that share it. */
const waysToHold = {
  alone: 'begin exclusive',
  // A transaction that has read something holds a shared lock until it ends.
  shared: 'begin; select count(*) from sqlite_schema',
} as const;

function isBusy(error: unknown): boolean {
  const busy = 5; // SQLITE_BUSY
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}

/** Takes the lock if it is free in that sense, and answers how to let it go; else null. */
function tryLock(path: string, how: keyof typeof waysToHold): (() => void) | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec(waysToHold[how]);
    return () => database.close();
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/**
 * Waits until this caller alone holds the lock file, then answers how to let it go. Rejects with
 * the signal's reason when that comes first.
 *
 * Node offers no file lock, but SQLite takes one of the operating system's, which ends with its
 * process however that dies; a file that merely exists would outlive a killed one. It is polled,
 * since SQLite's own waiting would block the event loop.
 */
export async function holdFileLock(
  path: string,
  onWait?: () => void,
  signal?: AbortSignal,
): Promise<() => void> {
  for (let polls = 1; ; polls += 1) {
    signal?.throwIfAborted();
    const letGo = tryLock(path, 'alone');
    if (letGo !== null) return letGo;
    if (polls === sayAfterPolls) onWait?.();
    await sleep(pollMilliseconds);
  }
}

/** Holds the lock file together with others who share it, until the answer is called. */
export async function shareFileLock(path: string): Promise<() => void> {
  for (;;) {
    const letGo = tryLock(path, 'shared');
    if (letGo !== null) return letGo;
    await sleep(pollMilliseconds);
  }
}

/** True while anybody holds the lock file, alone or shared. */
export function isHeld(path: string): boolean {
  const letGo = tryLock(path, 'alone');
  letGo?.();
  return letGo === null;
}
