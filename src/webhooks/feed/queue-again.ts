import { eventOfFeed, eventTypes } from '../../events/index.ts';
import type { Sql, Transaction } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { dueUntil } from '../delivery/schedule.ts';
import { wantsType } from '../store.ts';

export interface Resend {
  accountId: string;
  eventId: number;
  /** Null for every webhook that wants the event's type now. */
  webhookId: number | null;
  /** Time of the wall clock. */
  at: Temporal.Instant;
}

export interface Queued {
  webhookId: number;
  /** False if the event's delivery is still pending. */
  queued: boolean;
}

/** Locks the receiving webhooks in the publisher's order. Returns each with the event. */
const lockWanting = (tx: Transaction, { accountId, eventId, webhookId }: Resend) =>
  tx<{ id: number; entity: string; entity_id: string; version: number; position: number }[]>`
    select w.id, e.entity, e.entity_id, e.version, e.position
    from ${eventOfFeed(tx, accountId, eventId)}
    join ${recordset(tx, 't (id smallint, name text)', eventTypes)} on t.name = e.type
    join webhooks w on w.account_id = e.account_id and w.deleted_at is null
      and (w.only_entity is null or (w.only_entity = e.entity and w.only_entity_id = e.entity_id))
    where case when ${webhookId}::bigint is null then ${wantsType(tx)}
        else w.id = ${webhookId}::bigint end
    order by w.only_entity is not null, w.id for no key update of w`;

/**
 * Queues a published event again at a user's request: at once, outside its entity's order, with a
 * full retry window. Ends the receiver's pause if failures caused it. Returns the receiving
 * webhooks. Pending deliveries stay unchanged.
 */
export const queueAgain = (sql: Sql, resend: Resend): Promise<Queued[]> =>
  sql.begin(async (tx) => {
    const { accountId, eventId, at } = resend;
    const wanting = await lockWanting(tx, resend);
    const rows = await tx<{ webhook_id: number }[]>`
      with queued as (
        insert into deliveries as d (account_id, webhook_id, entity, entity_id, version, event_id,
          position, state, next_at, expires_at)
        select ${accountId}, w.id, w.entity, w.entity_id, w.version, ${eventId}::bigint,
          w.position, 'pending', ${at}::timestamptz, ${dueUntil(at)}::timestamptz
        from ${recordset(
          tx,
          'w (id bigint, entity text, entity_id text, version int, position bigint)',
          wanting,
        )}
        on conflict (account_id, webhook_id, entity, entity_id, version) do update
        set state = 'pending', tries = 0, next_at = excluded.next_at,
          expires_at = excluded.expires_at, ended_at = null
        where d.state <> 'pending'
        returning webhook_id
      ),
      woken as (
        update webhooks w set paused_until = null, due_at = ${at}::timestamptz
        from queued where w.account_id = ${accountId} and w.id = queued.webhook_id
      )
      select webhook_id from queued`;
    const queued = new Set(rows.map((row) => row.webhook_id));
    return wanting.map(({ id }) => ({ webhookId: id, queued: queued.has(id) }));
  });
