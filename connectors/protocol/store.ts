import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A database file that no other process can open. A write is durable once it resolves. */
export interface Store {
  database: DatabaseSync;
  /** Runs in one transaction with other waiting writes; resolves when it is on disk. */
  write: <T>(work: () => T) => Promise<T>;
  close: () => void;
}

const busy = 5; // SQLITE_BUSY

function openFile(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // The operating system's lock, which ends with the process even if it crashes.
    database.exec('pragma locking_mode = exclusive');
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = full');
    database.exec('begin immediate; commit');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) {
      throw new Error(
        `Another process works with ${file}: a connector's directory belongs to one process.`,
      );
    }
    throw error;
  }
}

interface Waiting {
  run: () => void;
  done: () => void;
  failed: (error: unknown) => void;
}

/** Opens a file in a directory, creating both and its tables if missing. */
export function openStore(folder: string, name: string, tables: string): Store {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = openFile(path.join(folder, name));
  database.exec(tables);
  let waiting: Waiting[] = [];

  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    try {
      database.exec('begin immediate');
      for (const one of batch) one.run();
      database.exec('commit');
    } catch (error) {
      if (database.isTransaction) database.exec('rollback');
      for (const one of batch) one.failed(error);
      return;
    }
    for (const one of batch) one.done();
  };

  return {
    database,
    // Group commit: one write to disk serves all work from the same turn of the event loop.
    write: (work) =>
      new Promise((resolve, reject) => {
        let result: { value: ReturnType<typeof work> } | null = null;
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({
          run: () => {
            result = { value: work() };
          },
          done: () => result && resolve(result.value),
          failed: reject,
        });
      }),
    close: () => {
      if (waiting.length > 0) flush();
      if (database.isOpen) database.close();
    },
  };
}
