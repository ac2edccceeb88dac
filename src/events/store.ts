import { type Actor, actorText } from '../platform/actor.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import { eventTypes } from './types.ts';

type Fragment = ReturnType<Queryable>;

/** A change to one entity. Versions order the events of an entity. */
export interface EventDraft {
  accountId: string;
  entity: string;
  entityId: string;
  version: number;
  id: number;
  type: string;
  at: Temporal.Instant;
  actor: Actor;
  data: Record<string, unknown>;
}

/**
 * Builds a CTE that writes events from a relation `(account_id, entity, entity_id, version, id,
 * type, at, actor, data)` of the same statement, and queues those for webhooks. Append it once for
 * each relation.
 */
export const writeEvents = (sql: Queryable, from: string): Fragment => sql`
  ${sql(`written_${from}`)} as (
    insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
    select account_id, entity, entity_id, version, id, type, at, actor, data::json
    from ${sql(from)}
    returning account_id, id, entity, entity_id, version, type
  ),
  ${sql(`queued_${from}`)} as (
    insert into outbox (account_id, event_id, entity, entity_id, version)
    select account_id, id, entity, entity_id, version from ${sql(`written_${from}`)}
    where type = any(${eventTypes.map(({ name }) => name)}::text[])
  )`;

/** Selects events of an account's entities of one kind, as `e`. */
export const eventsOfEntity = (sql: Queryable, accountId: string, entity: string): Fragment => sql`
  (select * from events where account_id = ${accountId} and entity = ${entity}) as e`;

export interface HistoryEvent {
  version: number;
  type: string;
  at: Temporal.Instant;
  actor: string;
  data: Record<string, unknown>;
}

/** Returns an entity's history in order: its first event and its last `most` ones. */
export async function readHistory(
  sql: Queryable,
  of: { accountId: string; entity: string; entityId: string },
  most: number,
): Promise<HistoryEvent[]> {
  const mine = sql`
    account_id = ${of.accountId} and entity = ${of.entity} and entity_id = ${of.entityId}`;
  return await sql<HistoryEvent[]>`
    select version, type, at, actor, data from events
    where ${mine} and (version = 1
      or version > (select max(version) from events where ${mine}) - ${most}::int)
    order by version`;
}

/** Appends events with known versions, in the transaction of `sql`. */
export async function appendEvents(sql: Queryable, drafts: EventDraft[]): Promise<void> {
  await sql`
    with new_events as (
      select * from ${recordset(
        sql,
        `e (account_id text, entity text, entity_id text, version int, id bigint, type text,
          at timestamptz, actor text, data text)`,
        drafts.map((draft) => ({
          ...draft,
          actor: actorText(draft.actor),
          data: JSON.stringify(draft.data),
        })),
      )}
    ), ${writeEvents(sql, 'new_events')}
    select 1`;
}
