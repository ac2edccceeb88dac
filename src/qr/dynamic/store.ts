import { writeEvents } from '../../events/index.ts';
import { type Actor, actorText } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import {
  type ClaimedCreation,
  type CreationOutcome,
  createOnce,
} from '../../platform/idempotency.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { insertRequests, lookUpRequests, newRequests } from '../../requests/index.ts';
import type { QrRow } from '../row.ts';
import { isTaken } from '../taken.ts';

type Fragment = ReturnType<Queryable>;

/** Of these ids, those that are in use. */
export async function takenIds(
  sql: Queryable,
  keys: { accountId: string; id: string }[],
): Promise<Set<string>> {
  const rows = await sql<{ code: string }[]>`
    select r.code from unnest(
      ${keys.map((key) => key.accountId)}::text[], ${keys.map((key) => key.id)}::text[]
    ) as wanted (account_id, code)
    ${lookUpRequests(sql, 'wanted', 'code', 'code')}`;
  return new Set(rows.map(({ code }) => code));
}

/**
 * Inserts the rows whose ids are free, in the transaction of `sql`, and answers the ids that were
 * taken. Ids must differ within `rows`. Leaves no events.
 */
export async function insertFreeQrs(sql: Queryable, rows: QrRow[]): Promise<Set<string>> {
  const inserted = await sql<{ code: string }[]>`
    with new_request as materialized (${newRequests(sql, rows)}),
    by_code as (select * from new_request order by account_id, code)
    ${insertRequests(sql, 'by_code')}
    on conflict (account_id, code) where code is not null do nothing
    returning code`;
  const free = new Set(inserted.map(({ code }) => code));
  return new Set(rows.map(({ code }) => code).filter((code) => !free.has(code)));
}

/** One call that saves QRs, with what is written together with them. */
export interface Saving extends ClaimedCreation {
  /** At least one; the first one's number names the call. */
  rows: [QrRow, ...QrRow[]];
  event: { id: number; entity: string; entityId: string; type: string; data: object };
  actor: Actor;
}

/**
 * Inserts the QRs of calls, an event of each call and the stored answers in one statement, all or
 * nothing. A call whose idempotency key was taken writes nothing and gets the answer stored under
 * it. Throws the driver's unique violation when an id is taken. Keys, ids and events are met in
 * order, so that two statements never deadlock over them.
 */
export async function insertSavings(
  { sql, clocks }: Base,
  savings: Saving[],
): Promise<(CreationOutcome | Error)[]> {
  return await createOnce(sql, savings, clocks.wall.now(), (sorted, claims) =>
    insertSorted(sql, sorted, claims),
  );
}

const insertSorted = (sql: Queryable, savings: Saving[], claims: Fragment) => {
  const rows = savings.flatMap((saving) => saving.rows);
  const calls = savings.flatMap((saving) => saving.rows.map(() => saving.id));
  return sql<{ id: number }[]>`
    with new_request as materialized (${newRequests(sql, rows)}),
    ${claims},
    call as materialized (
      select * from unnest(
        ${savings.map(({ accountId }) => accountId)}::text[],
        ${savings.map(({ id }) => id)}::bigint[],
        ${savings.map(({ event }) => event.id)}::bigint[],
        ${savings.map(({ event }) => event.entity)}::text[],
        ${savings.map(({ event }) => event.entityId)}::text[],
        ${savings.map(({ event }) => event.type)}::text[],
        ${savings.map(({ event }) => JSON.stringify(event.data))}::text[],
        ${savings.map(({ actor }) => actorText(actor))}::text[],
        ${savings.map((saving) => saving.rows[0].created_at)}::timestamptz[]
      ) as call (account_id, id, event_id, entity, entity_id, type, data, actor, at)
    ),
    fresh_call as materialized (
      select call.* from call
      left join claim using (account_id, id)
      left join claimed using (account_id, path, key)
      where claim.key is null or claimed.key is not null
    ),
    fresh as (
      select n.* from new_request n
      join unnest(${calls}::bigint[]) with ordinality as of_call (call_id, no) using (no)
      where call_id in (select id from fresh_call)
      order by n.account_id, n.code
    ),
    created as (${insertRequests(sql, 'fresh')}),
    new_events as (
      select account_id, entity, entity_id, 1 as version, event_id as id, type, at, actor, data
      from fresh_call order by account_id, entity_id
    ),
    ${writeEvents(sql, 'new_events')}
    select id from fresh_call`;
};

/**
 * Whether a saving statement failed because an id is taken: a second QR of an id collides in its
 * row, or in the event of its creation.
 */
export const isTakenId = (error: unknown): boolean =>
  isTaken(error, 'requests_by_code', 'events_pkey');
