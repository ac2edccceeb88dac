import type { Sql, Transaction } from './connect.ts';
import { sharesSnapshots } from './distributed/engine.ts';

const readsOne = 'isolation level repeatable read read only';

/**
 * Runs `work` with transactions that share a snapshot, each on its own connection. Uses one
 * transaction if the engine cannot share snapshots.
 */
export function readSnapshot<R>(
  sql: Sql,
  connections: number,
  work: (readers: readonly Transaction[]) => Promise<R>,
): Promise<R> {
  const most = sharesSnapshots(sql) ? connections : 1;
  const join = (name: string, readers: readonly Transaction[]): Promise<R> =>
    readers.length >= most
      ? work(readers)
      : sql.begin(readsOne, async (tx) => {
          await tx.unsafe(`set transaction snapshot '${name}'`);
          return await join(name, [...readers, tx]);
        });
  return sql.begin(readsOne, async (first) => {
    // Takes the snapshot now, even for a single reader.
    const [row] = await first<{ name: string }[]>`select pg_export_snapshot() as name`;
    return await join(row?.name ?? '', [first]);
  });
}

/** A connection that sees the database as of its first statement. */
export interface Snapshot {
  readonly sql: Transaction;
  close(): Promise<void>;
}

/** Opens a transaction that lasts until closed, for readers that fetch rows as they need them. */
export function openSnapshot(sql: Sql): Promise<Snapshot> {
  const opened = Promise.withResolvers<Snapshot>();
  const closed = Promise.withResolvers<void>();
  const ended = sql
    .begin(readsOne, async (transaction) => {
      opened.resolve({
        sql: transaction,
        async close() {
          closed.resolve();
          await ended;
        },
      });
      await closed.promise;
    })
    // The readers have already received the connection's error.
    .catch((reason: unknown) => opened.reject(reason));
  return opened.promise;
}
