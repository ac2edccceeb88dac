import { lookUpEvents } from '../../events/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

/** An event's delivery to one webhook, with its last attempt. */
export interface EntityDelivery {
  type: string;
  /** When the event happened. */
  at: Temporal.Instant;
  webhook_id: number;
  url: string;
  state: 'pending' | 'delivered' | 'failed';
  next_at: Temporal.Instant | null;
  tries: number;
  /** Null if there was no attempt, or its record was deleted. */
  last_at: Temporal.Instant | null;
  status: number | null;
  error: string | null;
}

/** Reads an entity's first `most` deliveries, in the order of its events. */
export const deliveriesOfEntity = (
  sql: Queryable,
  { accountId, entity, entityId }: { accountId: string; entity: string; entityId: string },
  most: number,
): Promise<EntityDelivery[]> => sql<EntityDelivery[]>`
  with sent as materialized (
    select entity, entity_id, version, webhook_id, event_id, state, next_at, attempts
    from deliveries
    where account_id = ${accountId} and entity = ${entity} and entity_id = ${entityId}
    order by version, webhook_id limit ${most}
  )
  select event.type, event.at, sent.webhook_id, w.url, sent.state, sent.next_at,
    sent.attempts as tries, last.at as last_at, last.status, last.error
  from sent
  join webhooks w on w.account_id = ${accountId} and w.id = sent.webhook_id
  ${lookUpEvents(sql, 'sent', accountId)}
  left join lateral (
    select a.at, a.status, a.error from delivery_attempts a
    where a.account_id = ${accountId} and a.webhook_id = sent.webhook_id
      and a.event_id = sent.event_id
    order by a.no desc limit 1
  ) as last on true
  order by sent.version, sent.webhook_id`;
