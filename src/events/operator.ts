import { actorText } from '../platform/actor.ts';
import type { Acting } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

type Fragment = ReturnType<Queryable>;

/** An action that belongs to no account. */
export interface OperatorNote {
  /** Allocated before rows are locked. */
  eventId: number;
  entity: string;
  entityId: string;
  type: string;
  data?: Record<string, unknown>;
}

/**
 * Builds a CTE that records an operator's event in the statement of its cause, once if `relation`
 * has rows.
 */
export const writeOperatorEvent = (
  sql: Queryable,
  { clocks, actor }: Pick<Acting, 'clocks' | 'actor'>,
  { eventId, entity, entityId, type, data = {} }: OperatorNote,
  relation: string,
): Fragment => sql`
  noted as (
    insert into operator_events (id, entity, entity_id, type, at, actor, data)
    select ${eventId}::bigint, ${entity}, ${entityId}, ${type},
      ${clocks.business.now()}::timestamptz, ${actorText(actor)},
      ${JSON.stringify(data)}::text::json
    from ${sql(relation)} limit 1
  )`;

/** Records an operator's event in the transaction of its change. */
export async function noteOperator(
  tx: Queryable,
  acting: Pick<Acting, 'clocks' | 'actor'>,
  note: OperatorNote,
): Promise<void> {
  await tx`
    with done as (select 1), ${writeOperatorEvent(tx, acting, note, 'done')}
    select 1`;
}

/** Selects operators' events about entities of one kind, as `o`. */
export const operatorEventsOf = (sql: Queryable, entity: string): Fragment => sql`
  (select * from operator_events where entity = ${entity}) as o`;

export interface OperatorEventRow {
  id: number;
  entity: string;
  entity_id: string;
  type: string;
  at: Temporal.Instant;
  actor: string;
  data: Record<string, unknown>;
}

/** Returns events after the given one, in order. A page that is not full is the last. */
export const listOperatorEvents = (
  sql: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<OperatorEventRow[]> =>
  sql<OperatorEventRow[]>`
    select id, entity, entity_id, type, at, actor, data from operator_events
    where id > ${after} order by id limit ${limit}`;

/** Returns the time of the first encryption under a key of the vault, or null if there was none. */
export async function vaultKeySince(
  sql: Queryable,
  keyId: string,
): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select min(at) as at from operator_events
    where entity = 'vault_key' and entity_id = ${keyId}`;
  return row?.at ?? null;
}
