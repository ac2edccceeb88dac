import { operatorBooks } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import {
  isStamped,
  momentText,
  type Stamped,
  stampColumns,
  stampKeys,
  stampRow,
} from '../../seals/index.ts';

const isAboutForgery = `kind in ('forged_journal', 'forged_fact')`;

/** Stamps closings of alarms about forged rows, so that only this service unblocks payouts. */
export const stampedClosings: Stamped = {
  kind: 'closing of alarm',
  from: `(
    select '${operatorBooks}'::text as account_id, id, kind, fact, account_id as whose, closed_at,
      closed_by, note, closing_stamp as stamp
    from money_alarms where ${isAboutForgery})`,
  name: 't.id',
  columns: ['t.id', 't.kind', 't.fact', momentText('t.closed_at'), 't.closed_by', 't.note'],
  due: (sql, _accountId, { at }) => sql`t.closed_at > ${at}::timestamptz`,
};

interface Closing {
  id: number;
  kind: string;
  fact: string;
  at: Temporal.Instant;
  by: string;
  note: string;
}

export const stampClosing = (
  sql: Queryable,
  { id, kind, fact, at, by, note }: Closing,
): Promise<Buffer> =>
  stampRow(sql, stampedClosings.kind, [id, kind, fact, at.epochMilliseconds, by, note]);

/**
 * Returns the ids of alarms about forged rows that match a condition over `t` and that this service
 * did not close.
 */
async function openForged(sql: Queryable, where: ReturnType<Queryable>): Promise<number[]> {
  const rows = await sql<{ id: number; stamp: Buffer | null; digest: Buffer }[]>`
    select t.id, ${stampColumns(sql, stampedClosings)}
    from ${sql.unsafe(stampedClosings.from)} t where ${where}`;
  const keys = await stampKeys(sql);
  const isClosed = ({ stamp, digest }: { stamp: Buffer | null; digest: Buffer }): boolean =>
    stamp !== null && isStamped(keys, stampedClosings.kind, { digest, stamp });
  return rows.filter((row) => !isClosed(row)).map(({ id }) => id);
}

/** Returns the ids of alarms about forged rows that were closed, but not by this service. */
export const falselyClosed = (sql: Queryable, id: number | null = null): Promise<number[]> =>
  openForged(sql, sql`t.closed_at is not null and (${id}::bigint is null or t.id = ${id})`);

/**
 * Returns true if an alarm about a forged row of an account is open. Also searches the facts,
 * because an alarm inserted by SQL may have the same fact without the account.
 */
export const hasForged = async (sql: Queryable, accountId: string): Promise<boolean> =>
  (await openForged(sql, sql`t.whose = ${accountId} or strpos(t.fact, ${`${accountId}-`}) > 0`))
    .length > 0;
