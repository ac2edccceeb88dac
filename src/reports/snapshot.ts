import type { Sql, Transaction } from '../platform/postgres/connect.ts';

/** One connection that sees the database as it was at its first statement. */
export interface Snapshot {
  readonly sql: Transaction;
  /** Gives the connection back. */
  close(): Promise<void>;
}

/** A transaction that lasts until it is closed, for readers that pull. */
export function openSnapshot(sql: Sql): Promise<Snapshot> {
  const opened = Promise.withResolvers<Snapshot>();
  const closed = Promise.withResolvers<void>();
  const ended = sql
    .begin('isolation level repeatable read read only', async (transaction) => {
      opened.resolve({
        sql: transaction,
        async close() {
          closed.resolve();
          await ended;
        },
      });
      await closed.promise;
    })
    // Its readers have met whatever befell the connection.
    .catch((reason: unknown) => opened.reject(reason));
  return opened.promise;
}
