import { createHash } from 'node:crypto';
import type { Queryable, Sql, Transaction } from './connect.ts';
import { deadlines } from './deadlines.ts';

export interface LockOptions {
  mode: 'exclusive' | 'shared';
  /** False returns null at once if the lock is taken. */
  wait: boolean;
}

/**
 * Hashes a name to a 64-bit lock key. The hash must never change, because releases run side by
 * side.
 */
export function advisoryLockNumber(key: string): string {
  return createHash('sha256').update(key).digest().readBigInt64BE(0).toString();
}

/**
 * Takes named locks until the transaction ends, in order of name, so that callers never deadlock.
 * The database's own functions use the same hash.
 */
export async function lockNames(tx: Queryable, ...names: string[]): Promise<void> {
  await tx`
    select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${names.toSorted()}::text[]) as name`;
}

/** Sends heartbeats while the transaction is idle, so that the server does not end it. */
async function withHeartbeats<T>(transaction: Transaction, run: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => {
    // If the lock is lost, the end of the transaction reports it.
    transaction`select 1`.catch(() => {});
  }, deadlines.heartbeatMs);
  try {
    return await run();
  } finally {
    clearInterval(beat);
  }
}

/**
 * Runs `run` under a named lock and returns its result, or null if `wait` is false and the lock is
 * taken. The lock belongs to a transaction on one connection of the pool (so poolers work too) and
 * ends with it, whatever happens to the process. `run` may use that transaction, or the pool at the
 * cost of a second connection. If the lock's connection is lost, the call fails after `run`, and
 * another process may have the lock by then.
 */
export function withAdvisoryLock<T>(
  sql: Sql,
  key: string,
  options: LockOptions & { wait: true },
  run: (transaction: Transaction) => Promise<T>,
): Promise<T>;
export function withAdvisoryLock<T>(
  sql: Sql,
  key: string,
  options: LockOptions,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T | null>;
export async function withAdvisoryLock<T>(
  sql: Sql,
  key: string,
  { mode, wait }: LockOptions,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T | null> {
  const lock = sql.unsafe(
    `pg_${wait ? '' : 'try_'}advisory_xact_lock${mode === 'shared' ? '_shared' : ''}`,
  );
  const result = await sql.begin(async (transaction) => {
    // The transaction is idle while `run` works elsewhere. Heartbeats keep it alive, and the server
    // ends it soon after this process hangs.
    const [row] = await transaction<{ held: boolean | string }[]>`
      select set_config('idle_in_transaction_session_timeout', ${String(deadlines.hungMs)}, true),
        ${lock}(${advisoryLockNumber(key)}::bigint) as held`;
    if (row?.held === false) return { value: null };
    return { value: await withHeartbeats(transaction, () => run(transaction)) };
  });
  return result.value;
}
