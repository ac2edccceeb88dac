import { hash } from 'node:crypto';
import type { Base } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

export const accessKinds = [
  'sign_in_failed',
  'sign_in_waits',
  'factor_failed',
  'act_refused',
  'file_taken',
] as const;
export type AccessKind = (typeof accessKinds)[number];

/** A failed action, or access to sensitive data. */
export interface Access {
  kind: AccessKind;
  accountId: string | null;
  userId: number | null;
  address: string;
  /** The action or the file. Never typed input. */
  detail: string;
}

export interface AccessRow {
  id: number;
  kind: AccessKind;
  account_id: string | null;
  user_id: number | null;
  address: string;
  detail: string;
  first_at: Temporal.Instant;
  last_at: Temporal.Instant;
  count: number;
}

/** PCI DSS 10.5.1 requires twelve months. */
const retention = { hours: 24 * 400 };
const mostForgotten = 100;
const longestDetail = 200;
const hourMs = 3_600_000;

/** Returns the key under which repetitions within a clock hour are counted together. */
function foldOf({ kind, accountId, userId, address, detail }: Access, nowMs: number): Buffer {
  const hour = Math.floor(nowMs / hourMs);
  return hash('sha256', JSON.stringify([hour, kind, accountId, userId, address, detail]), 'buffer');
}

const deleteOld = (sql: Queryable, before: Temporal.Instant) => sql`
  delete from user_accesses where id in (
    select id from user_accesses where last_at < ${before}::timestamptz
    order by last_at limit ${mostForgotten} for update skip locked)`;

/**
 * Records a failed or sensitive access, and logs its first repetition in each clock hour. Never
 * rejects, because the response does not depend on it.
 */
export const recordAccess =
  ({ sql, clocks, recordIds, log }: Base) =>
  async (sent: Access): Promise<void> => {
    const access = { ...sent, detail: sent.detail.slice(0, longestDetail).toWellFormed() };
    const now = clocks.wall.now();
    try {
      const id = await recordIds.next();
      const [row] = await sql<{ count: number }[]>`
        insert into user_accesses as a (id, fold, kind, account_id, user_id, address, detail,
          first_at, last_at, count)
        values (${id}, ${foldOf(access, now.epochMilliseconds)}, ${access.kind},
          ${access.accountId}, ${access.userId}, ${access.address}, ${access.detail},
          ${now}::timestamptz, ${now}::timestamptz, 1)
        on conflict (fold) do update set count = a.count + 1, last_at = excluded.last_at
        returning count`;
      if (row?.count !== 1) return;
      const { kind, accountId: account, userId: user, address, detail } = access;
      log.warn({ access: kind, account, user, address, detail }, 'access');
      await deleteOld(sql, now.subtract(retention));
    } catch (error) {
      log.error({ err: error, access: access.kind }, 'an access could not be recorded');
    }
  };

export interface AccessPage {
  /** Cursor. Null for the first page. */
  behind: number | null;
  limit: number;
}

const columns = (sql: Queryable) => sql`
  id, kind, account_id, user_id, address, detail, first_at, last_at, count`;

/**
 * Lists access records, newest first. For an account: those about it, and its active members'
 * failed sign-ins, lock-outs and failed second factors.
 */
export const listAccesses = (
  sql: Queryable,
  accountId: string | null,
  { behind, limit }: AccessPage,
): Promise<AccessRow[]> => {
  const before = behind === null ? sql`true` : sql`id < ${behind}`;
  if (accountId === null) {
    return sql<AccessRow[]>`
      select ${columns(sql)} from user_accesses where ${before} order by id desc limit ${limit}`;
  }
  return sql<AccessRow[]>`
    select ${columns(sql)} from (
      (select * from user_accesses where account_id = ${accountId} and ${before}
        order by id desc limit ${limit})
      union
      (select * from user_accesses
        where account_id is null and kind in ('sign_in_failed', 'sign_in_waits', 'factor_failed')
          and user_id in (
            select user_id from memberships
            where account_id = ${accountId} and state = 'active')
          and ${before}
        order by id desc limit ${limit})
    ) as a order by id desc limit ${limit}`;
};
