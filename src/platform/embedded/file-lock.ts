import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMilliseconds = 25;
const sayAfterPolls = 80;

const waysToHold = {
  alone: 'begin exclusive',
  // A transaction that has read something holds a shared lock until it ends.
  shared: 'begin; select count(*) from sqlite_schema',
} as const;

function isBusy(error: unknown): boolean {
  const busy = 5; // SQLITE_BUSY
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}

/** Tries to take the lock. Returns its release, or null. */
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
 * Waits for the exclusive lock and returns its release. Rejects with the signal's reason if it
 * aborts first. Node has no file locks, but SQLite uses the operating system's, which always end
 * with the process; a plain lock file would survive a kill. Polls, because SQLite's own wait would
 * block the event loop.
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

/** Takes the lock in shared mode and returns its release. */
export async function shareFileLock(path: string): Promise<() => void> {
  for (;;) {
    const letGo = tryLock(path, 'shared');
    if (letGo !== null) return letGo;
    await sleep(pollMilliseconds);
  }
}

/** Returns true if any process holds the lock, in either mode. */
export function isLocked(path: string): boolean {
  const letGo = tryLock(path, 'alone');
  letGo?.();
  return letGo === null;
}
