import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMilliseconds = 25;
const sayAfterPolls = 80;

function isBusy(error: unknown): boolean {
  const busy = 5; // SQLITE_BUSY
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}

/**
 * Waits until this caller alone holds the lock file, then answers how to let it go.
 *
 * Node offers no file lock, but SQLite takes one of the operating system's, which ends with its
 * process however that dies; a file that merely exists would outlive a killed one. It is polled,
 * since SQLite's own waiting would block the event loop.
 */
export async function holdFileLock(path: string, onWait?: () => void): Promise<() => void> {
  const database = new DatabaseSync(path, { timeout: 0 });
  for (let polls = 1; ; polls += 1) {
    try {
      database.exec('begin exclusive');
      return () => database.close();
    } catch (error) {
      if (!isBusy(error)) {
        database.close();
        throw error;
      }
      if (polls === sayAfterPolls) onWait?.();
      await sleep(pollMilliseconds);
    }
  }
}
