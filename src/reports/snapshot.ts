import type { Sql, Transaction } from '../platform/postgres/connect.ts';

/** One connection that sees the database as it was at its first statement. */
export interface Snapshot {
  /** Throws once the connection is lost: the driver must get no more statements for it. */
  readonly sql: Transaction;
  /** Gives the connection back. */
  close(): Promise<void>;
}

/** A transaction that lasts until it is closed, for readers that pull. */
export function openSnapshot(sql: Sql): Promise<Snapshot> {
  const opened = Promise.withResolvers<Snapshot>();
  const closed = Promise.withResolvers<void>();
  let lost: { reason: unknown } | null = null;
  const ended = sql
    .begin('isolation level repeatable read read only', async (transaction) => {
      opened.resolve({
        get sql() {
          if (lost) throw lost.reason;
          return transaction;
        },
        async close() {
          // Nobody waits for the end of a lost one, which would be a statement like any other.
          if (!lost) closed.resolve();
          await ended;
        },
      });
      await closed.promise;
    })
    .catch((reason: unknown) => {
      lost = { reason };
      opened.reject(reason);
    });
  return opened.promise;
}
