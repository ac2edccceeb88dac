import { setTimeout as pause } from 'node:timers/promises';
import { compareDays } from '../../kernel/dates.ts';
import { lockNames } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable, Sql, Transaction } from '../../platform/postgres/connect.ts';
import { refusal } from './codes.ts';

/** Raised by the database function `post_on` if the day is closed or closing. */
const dayClosed = 'RC001';
/** Raised by `close_books` if the day is not over by the database's clock. */
const dayNotOver = 'RC002';
const lockTimedOut = '55P03';
const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** About five seconds in total, because closing a day waits for the slowest running posting. */
const pausesMs = [2, 5, 10, 20, 50, ...Array.from({ length: 50 }, () => 100)];

/**
 * Runs `post`, and reruns it if its day was closed in between, as can happen around midnight.
 * `post` must read the clock each time. Throws 503 if this process's clock lags behind a closed
 * day.
 */
export async function onOpenDay<T>(post: () => Promise<T>): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await post();
    } catch (error) {
      if (!hasCode(error, dayClosed)) throw error;
      await pause(pauseMs);
    }
  }
  throw refusal('ledger.day_closing', {});
}

/** Runs a posting transaction. Reruns it if its day was closed in between. */
export const posting = <T>(sql: Sql, post: (tx: Transaction) => Promise<T>): Promise<T> =>
  onOpenDay(async () => (await sql.begin(post)) as T);

/** Maximum time that closing a day waits for running postings. */
const closingWaits = '5s';

export type CloseBooks = (through: Temporal.PlainDate) => Promise<void>;

/** Waits for running postings, and blocks new ones while `during` runs. */
async function whileNobodyPosts<T>(sql: Sql, during: (tx: Transaction) => Promise<T>): Promise<T> {
  try {
    const { value } = await sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${closingWaits}, true)`;
      // The database functions `post_on` and `close_books` take the same lock.
      await lockNames(tx, 'closed_books');
      return { value: await during(tx) };
    });
    return value;
  } catch (error) {
    if (!hasCode(error, lockTimedOut)) throw error;
    throw refusal('ledger.postings_slow', {});
  }
}

export type HoldStill = <T>(run: () => Promise<T>) => Promise<T>;

/**
 * Blocks postings while the sandbox moves its clock, so that none is dated on a day that the clock
 * has left.
 */
export const holdStill =
  (sql: Sql): HoldStill =>
  (run) =>
    whileNobodyPosts(sql, run);

/** Returns true if a day is closed and all its postings are committed. */
export async function isClosed(sql: Queryable, day: Temporal.PlainDate): Promise<boolean> {
  const [row] = await sql`select from closed_books where through >= ${day}::date`;
  return row !== undefined;
}

/**
 * Closes all days through the given one, so that their reports never change. Throws 503 on a
 * timeout, or if the last day is not over by the database's clock.
 */
export function booksCloser(sql: Sql): CloseBooks {
  let closed: Temporal.PlainDate | null = null;
  return async (through) => {
    if (closed && compareDays(through, closed) <= 0) return;
    try {
      await whileNobodyPosts(sql, (tx) => tx`select close_books(${through}::date)`);
    } catch (error) {
      if (!hasCode(error, dayNotOver)) throw error;
      throw refusal('ledger.day_not_over', { day: through });
    }
    if (!closed || compareDays(through, closed) > 0) closed = through;
  };
}
