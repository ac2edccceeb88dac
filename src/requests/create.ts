import { writeEvents } from '../events/index.ts';
import { toJsonNumber } from '../kernel/money.ts';
import { type Actor, actorText } from '../platform/actor.ts';
import { type ClaimedCreation, freshRows } from '../platform/idempotency.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { RequestRow } from './row.ts';
import { insertRequests, newRequests } from './store.ts';

type Fragment = ReturnType<Queryable>;

/** A request with everything that is written together with it. */
export interface NewRequest extends ClaimedCreation {
  row: RequestRow;
  eventId: number;
  actor: Actor;
}

const eventDataOf = (row: RequestRow): string =>
  JSON.stringify({
    state: row.state,
    ...(row.reference !== null && { external_reference: row.reference }),
    amount: toJsonNumber(row.total1),
  });

/**
 * Parts of a statement, to be put behind `with`: they claim the keys of creating calls, insert the
 * requests whose key was free, which are `fresh (account_id, id, …)`, and write their events.
 */
export const createRequests = (
  sql: Queryable,
  sorted: readonly NewRequest[],
  claims: Fragment,
): Fragment => sql`
  new_request as materialized (
    ${newRequests(
      sql,
      sorted.map(({ row }) => row),
    )}
  ),
  ${claims},
  ${freshRows(sql, 'new_request')},
  created as (${insertRequests(sql, 'fresh')}),
  new_events as (
    select account_id, kind as entity, id::text as entity_id, version, written.event_id as id,
      kind || '.created' as type, created_at as at, written.actor, written.data
    from fresh join unnest(
      ${sorted.map(({ row }) => row.id)}::bigint[], ${sorted.map((one) => one.eventId)}::bigint[],
      ${sorted.map((one) => actorText(one.actor))}::text[],
      ${sorted.map(({ row }) => eventDataOf(row))}::text[]
    ) as written (id, event_id, actor, data) using (id)
  ),
  ${writeEvents(sql, 'new_events')}`;
