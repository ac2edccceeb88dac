import { type Actor, system } from '../../platform/actor.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import { createRequest, joinRequests, moveRequests, stepTerms } from '../../requests/index.ts';
import type { QrRow } from '../row.ts';
import type { QrKey } from './store.ts';

export interface NewTransaction {
  request: QrRow;
  staticId: string;
  expiresAt: Temporal.Instant;
  eventId: number;
  actor: Actor;
}

/** Inserts a transaction's request, its expiry and its event. */
export const insertTransaction = (
  sql: Queryable,
  { request, staticId, expiresAt, eventId, actor }: NewTransaction,
): Promise<void> =>
  createRequest(
    sql,
    { rows: [request], eventData: { static_id: staticId }, eventId, actor },
    sql`
    begun as (
      insert into static_transactions (account_id, id, static_id, expires_at, open)
      select account_id, id, ${staticId}, ${expiresAt}::timestamptz, true from fresh
    )`,
  );

/**
 * Ends transactions. Unpaid ones expire, each with an event from `eventIds`. Returns the number of
 * expired ones.
 */
export async function endTransactions(
  sql: Queryable,
  accountId: string,
  ids: number[],
  { eventIds, now }: { eventIds: number[]; now: Temporal.Instant },
): Promise<number> {
  const rows = await sql`
    with ended as (
      update static_transactions t set open = false,
        expires_at = least(expires_at, ${now}::timestamptz)
      from unnest(
        ${ids.map(() => accountId)}::text[], ${ids}::bigint[],
        ${eventIds.slice(0, ids.length)}::bigint[]
      ) as due (account_id, id, event_id)
      where t.account_id = ${accountId} and t.account_id = due.account_id and t.id = due.id
      returning t.account_id, t.id, due.event_id
    ),
    step as (
      select account_id, id as request_id, 'qr' as kind, event_id, null::text as data,
        ${stepTerms(sql, { kind: 'qr', move: 'expire', at: now, actor: system })}
      from ended
    ),
    ${moveRequests(sql, 'step', [accountId])}
    select 1 from moved_requests`;
  return rows.length;
}

export interface OpenTransaction {
  id: number;
  expires_at: Temporal.Instant;
  /** Version of the request. */
  version: number;
}

/**
 * Locks a static QR's open transaction, so that no payment of it begins. Returns null if there is
 * none.
 */
export async function lockOpenTransaction(
  sql: Queryable,
  { accountId, id }: QrKey,
): Promise<OpenTransaction | null> {
  const [row] = await sql<OpenTransaction[]>`
    select t.id, t.expires_at, r.version from static_transactions t ${joinRequests(sql, 't', 'id')}
    where t.account_id = ${accountId} and t.static_id = ${id} and t.open for update`;
  return row ?? null;
}

/** Returns the id of a static QR's latest transaction, in any state, or null if there is none. */
export async function lastTransaction(
  sql: Queryable,
  { accountId, id }: QrKey,
): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select id from static_transactions where account_id = ${accountId} and static_id = ${id}
    order by expires_at desc, id desc limit 1`;
  return row?.id ?? null;
}

/** Returns all transactions of a single-payment static, with their states. */
export async function statesOfTransactions(
  sql: Queryable,
  { accountId, id }: QrKey,
): Promise<Pick<QrRow, 'id' | 'state'>[]> {
  return await sql<Pick<QrRow, 'id' | 'state'>[]>`
    select r.id, r.state from static_transactions t ${joinRequests(sql, 't', 'id')}
    where t.account_id = ${accountId} and t.static_id = ${id}`;
}

/** Returns up to 1000 accounts with transactions to expire, and how many each has. */
export const accountsWithEnded = (sql: Queryable, now: Temporal.Instant) => sql<
  { account_id: string; due: number }[]
>`
  select account_id, count(*)::int as due from static_transactions
  where open and expires_at <= ${now}::timestamptz ${withinReach(sql)}
  group by account_id limit 1000`;

/** Locks up to `most` of an account's transactions that are due to expire. Skips locked ones. */
export async function takeEnded(
  sql: Queryable,
  accountId: string,
  now: Temporal.Instant,
  most: number,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from static_transactions
    where account_id = ${accountId} and open and expires_at <= ${now}::timestamptz
    order by id limit ${most} for update skip locked`;
  return rows.map(({ id }) => id);
}

export async function nextEnd(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(expires_at) as due from static_transactions where open ${withinReach(sql)}`;
  return row?.due ?? null;
}
