import type { Queryable } from '../platform/postgres/connect.ts';
import { localDay } from '../platform/postgres/local-time.ts';
import { entityIdIn, requestKinds } from './kinds.ts';

/**
 * Checks that a request has as many events as versions, so that nothing happened without an event.
 * Only the creation of a QR may share its batch's event.
 */
export async function checkVersions(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; version: number; events: number }[]>`
    with told as (
      select entity, entity_id, count(*)::int as events, min(version) as first from events
      where account_id = ${accountId} and entity = any(${requestKinds}::text[])
      group by entity, entity_id
    )
    select r.id, r.version, coalesce(told.events, 0) as events from requests r
    left join told on told.entity = r.kind and told.entity_id = ${entityIdIn(sql)}
    where r.account_id = ${accountId} and coalesce(told.events, 0) <> r.version
      -- QRs of one batch share one event of their creation.
      and not (r.kind = 'qr' and coalesce(told.events, 0) = r.version - 1
        and told.first is distinct from 1)
    order by r.id limit 100`;
  return rows.map(
    (row) => `request ${row.id} has version ${row.version}, but ${row.events} events`,
  );
}

/**
 * Checks that a request's state is that of its last event and fits its due day. A request that
 * expired early must have been withdrawn.
 */
export async function checkStates(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; state: string; told: string; early: boolean }[]>`
    select * from (
      select r.id, r.state, coalesce(e.data->>'state', 'pending') as told,
        r.kind = 'payment_request' and r.state = 'expired'
          and ${localDay(sql, sql`e.at`)} <= r.last_due
          -- A charge rejected after the withdrawal adds a later event.
          and not exists (
            select from events w where w.account_id = r.account_id and w.entity = r.kind
              and w.entity_id = e.entity_id and w.type = 'payment_request.expired'
              and w.data->>'state_comment' is not null) as early
      from requests r
      join events e on e.account_id = r.account_id and e.entity = r.kind
        and e.entity_id = ${entityIdIn(sql)} and e.version = r.version
      where r.account_id = ${accountId}
    ) as last
    where state <> told or early order by id limit 100`;
  return rows.map(({ id, state, told, early }) =>
    early && state === told
      ? `request ${id} expired before its last due day was over`
      : `request ${id} is ${state}, but its last event says ${told}`,
  );
}

/** Checks that `requests` and `request_states` agree. */
export async function checkStoredStates(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; there: boolean; state: string | null }[]>`
    select coalesce(r.id, s.id) as id, r.id is not null as there, s.state
    from (
      select id, kind, state, last_due, place from requests where account_id = ${accountId}
    ) as r
    full join (
      select id, kind, state, last_due, place from request_states where account_id = ${accountId}
    ) as s on s.id = r.id
    where (r.kind, r.state, r.last_due, r.place)
      is distinct from (s.kind, s.state, s.last_due, s.place)
    order by 1 limit 100`;
  return rows.map(({ id, there, state }) => {
    if (!there) return `request_states has request ${id}, which does not exist`;
    return state === null
      ? `request ${id} has no row in request_states`
      : `request ${id} differs from its row in request_states: ${state}`;
  });
}

/** Returns requests past their due day that the sweep left pending. */
export async function overdueRequests(
  sql: Queryable,
  accountId: string,
  today: Temporal.PlainDate,
): Promise<string[]> {
  const [row] = await sql<{ count: number; id: number | null }[]>`
    select count(*)::int as count, min(id) as id from request_states
    where account_id = ${accountId} and state = 'pending' and last_due < ${today}::date
      and kind in ('payment_request', 'qr')`;
  if (!row || row.id === null) return [];
  const others = row.count > 1 ? ` and ${row.count - 1} more are` : ' is';
  return [`request ${row.id}${others} past due but still pending: no sweep has run since`];
}
