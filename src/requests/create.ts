import { writeEvents } from '../events/index.ts';
import { toJsonNumber } from '../kernel/money.ts';
import { type Actor, actorText } from '../platform/actor.ts';
import {
  type ClaimedCreation,
  type CreationOutcome,
  createOnce,
  freshRows,
} from '../platform/idempotency.ts';
import { columnsOf } from '../platform/postgres/columns.ts';
import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import { takePlace } from '../platform/postgres/places.ts';
import { type Entity, entityOf, eventOf, togetherOf } from './kinds.ts';
import type { RequestRow } from './row.ts';
import { insertStates, stateColumns } from './stored-states.ts';

type Fragment = ReturnType<Queryable>;

/** A call's requests, at least one, and their author. */
interface NewRequests {
  rows: readonly [RequestRow, ...RequestRow[]];
  eventId: number;
  actor: Actor;
  /** Further data of a single request's event. */
  eventData?: Record<string, unknown>;
}

/** Adds the call's idempotency key and the response to store under it. */
export type Creation = NewRequests & Pick<ClaimedCreation, 'claim' | 'answer'>;

interface CreationEvent extends Entity {
  type: string;
  data: object;
}

/** Returns a call's event: its request's, or one for all its requests. */
function createdEvent({ rows, eventId, eventData }: NewRequests): CreationEvent {
  const [row] = rows;
  if (rows.length === 1) {
    const data = {
      state: row.state,
      ...eventData,
      ...(row.reference !== null && { external_reference: row.reference }),
      amount: toJsonNumber(row.total1),
    };
    return { ...entityOf(row), type: `${row.kind}.${eventOf(row.kind, 'create')}`, data };
  }
  const { entity, type } = togetherOf(row.kind);
  const data = { count: rows.length, request_ids: rows.map(({ id }) => id) };
  return { entity, entityId: String(eventId), type, data };
}

/** Returns the columns of new requests as arrays, in the order of `rowNames`. */
const rowColumns = (sql: Queryable, rows: readonly RequestRow[]): Fragment => {
  const column = columnsOf(sql, rows);
  return sql`
      ${column('text', (row) => row.account_id)}, ${rows.map((row) => row.id)}::bigint[],
      ${column('text', (row) => row.kind)}, ${column('text', (row) => row.state)},
      ${column('int', (row) => row.version)}, ${column('timestamptz', (row) => row.created_at)},
      ${rows.map((row) => row.reference)}::text[], ${rows.map((row) => row.payer)}::text[],
      ${rows.map((row) => row.description)}::text[], ${rows.map((row) => row.due1)}::date[],
      ${rows.map((row) => row.total1)}::bigint[], ${rows.map((row) => row.due2)}::date[],
      ${rows.map((row) => row.total2)}::bigint[], ${rows.map((row) => row.last_due)}::date[],
      ${rows.map((row) => row.code)}::text[], ${rows.map((row) => row.mandate_id)}::bigint[],
      ${rows.map((row) => JSON.stringify(row.details))}::text[]`;
};

const rowNames = (sql: Queryable): Fragment => sql`
  account_id, id, kind, state, version, created_at, reference, payer, description, due1, total1,
  due2, total2, last_due, code, mandate_id, details`;

/** Inserts requests from a relation with these columns. */
const insertRequests = (
  sql: Queryable,
  { from, accountIds, order }: { from: string; accountIds: readonly string[]; order: Fragment },
): Fragment => sql`
  insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
    description, due1, total1, due2, total2, last_due, code, mandate_id, details, place)
  select account_id, id, kind, state, version, created_at, reference, payer, description, due1,
    total1, due2, total2, last_due, code, mandate_id, details::json,
    ${takePlace(sql, 'requests', accountIds)}
  from ${sql(from)} ${order}`;

/**
 * Builds the relation `new_request`: each row with its call's number, and the first of each call
 * with its event. Those come first, because unnest pads shorter columns with nulls.
 */
function newRequests(sql: Queryable, calls: readonly NewRequests[]): Fragment {
  const rows = [
    ...calls.map((call) => call.rows[0]),
    ...calls.flatMap((call) => call.rows.slice(1)),
  ];
  const callIds = [
    ...calls.map((call) => call.rows[0].id),
    ...calls.flatMap(({ rows: [first, ...others] }) => others.map(() => first.id)),
  ];
  const events = calls.map(createdEvent);
  const column = columnsOf(sql, events);
  return sql`
  new_request as (
    select * from unnest(${rowColumns(sql, rows)}, ${callIds}::bigint[],
      ${calls.map(({ eventId }) => eventId)}::bigint[],
      ${calls.map(({ actor }) => actorText(actor))}::text[],
      ${column('text', ({ entity }) => entity)},
      ${events.map(({ entityId }) => entityId)}::text[], ${column('text', ({ type }) => type)},
      ${events.map(({ data }) => JSON.stringify(data))}::text[]
    ) as new_request (${rowNames(sql)}, call_id, event_id, actor, entity, entity_id, type, data)
  )`;
}

/**
 * Builds the creating statement without the stored responses: inserts the rows `fresh` of
 * `new_request`. `beside` are further CTEs over the created rows, `fresh (account_id, id, …)`.
 */
const creating = (
  sql: Queryable,
  calls: readonly NewRequests[],
  { fresh, beside }: { fresh: Fragment; beside: Fragment | null },
): Fragment => {
  // Unlike ids, codes may collide with those of another statement. Inserting them in order prevents
  // deadlocks.
  const met = calls.length > 1 || calls.some(({ rows }) => rows.length > 1);
  const sorts = met && calls.some(({ rows: [row] }) => row.code !== null);
  const accountIds = calls.map(({ rows: [row] }) => row.account_id);
  const order = sorts ? sql`order by account_id, code` : sql``;
  return sql`
  with ${newRequests(sql, calls)},
  ${fresh},
  created as (
    ${insertRequests(sql, { from: 'fresh', accountIds, order })}
    returning ${stateColumns(sql)}
  ),
  ${insertStates(sql, 'created')},
  new_events as (
    select account_id, entity, entity_id, 1 as version, event_id as id, type, created_at as at,
      actor, data
    from fresh where event_id is not null
    ${sorts ? sql`order by account_id, entity_id` : sql``}
  ),
  ${writeEvents(sql, 'new_events')}
  ${beside ? sql`, ${beside}` : sql``}
  select id from fresh where event_id is not null`;
};

/**
 * Creates calls' requests, events and stored responses in one statement, all or nothing. A call
 * with a taken idempotency key writes nothing and gets the stored response. Throws the driver's
 * unique violation if a code is taken. Locks keys, codes and events in order, so that statements
 * never deadlock.
 */
export const createRequests = <C extends Creation>(
  sql: Queryable,
  creations: readonly C[],
  wallNow: Temporal.Instant,
  beside?: (sorted: readonly C[]) => Fragment,
): Promise<(CreationOutcome | Error)[]> =>
  createOnce(
    sql,
    creations.map((one) => ({ ...one, accountId: one.rows[0].account_id, id: one.rows[0].id })),
    wallNow,
    (sorted, claims) => sql<{ id: number }[]>`
      ${creating(sql, sorted, {
        fresh: sql`${claims}, ${freshRows(sql, 'new_request', 'call_id')}`,
        beside: beside?.(sorted) ?? null,
      })}`,
  );

/** Creates a single call's requests without a key, with further writes. */
export async function createRequest(
  sql: Queryable,
  news: NewRequests,
  beside: Fragment,
): Promise<void> {
  await sql`
    ${creating(sql, [news], { fresh: sql`fresh as (select * from new_request)`, beside })}`;
}

export interface MadeTogether {
  accountId: string;
  eventId: number;
  at: Temporal.Instant;
  actor: Actor;
}

/**
 * Creates an account's requests with free codes, and one event for all, in the transaction of `tx`.
 * Returns the taken codes. Codes must differ within `rows`.
 */
export async function createFree(
  tx: Transaction,
  rows: readonly RequestRow[],
  { accountId, eventId, at, actor }: MadeTogether,
): Promise<Set<string>> {
  const [first] = rows;
  if (!first) return new Set();
  const { entity, type } = togetherOf(first.kind);
  const created = await tx<{ code: string }[]>`
    with new_request as (
      select * from unnest(${rowColumns(tx, rows)}) as new_request (${rowNames(tx)})
    ),
    created as (
      ${insertRequests(tx, {
        from: 'new_request',
        accountIds: [accountId],
        order: tx`order by account_id, code`,
      })}
      on conflict (account_id, code) where code is not null do nothing
      returning ${stateColumns(tx)}, code
    ),
    ${insertStates(tx, 'created')},
    new_events as (
      select ${accountId} as account_id, ${entity} as entity, ${String(eventId)} as entity_id,
        1 as version, ${eventId}::bigint as id, ${type} as type, ${at}::timestamptz as at,
        ${actorText(actor)} as actor,
        jsonb_build_object('count', count(*), 'request_ids', jsonb_agg(id order by id))::text
          as data
      from created having count(*) > 0
    ),
    ${writeEvents(tx, 'new_events')}
    select code from created`;
  const free = new Set(created.map(({ code }) => code));
  return new Set(rows.flatMap(({ code }) => (code !== null && !free.has(code) ? [code] : [])));
}
