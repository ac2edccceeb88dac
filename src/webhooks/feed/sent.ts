import { type FeedRow, lookUpEventsById, readEvent } from '../../events/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import { type EventBody, eventBody } from '../delivery/body.ts';
import { type AttemptRow, type DeliveryRow, readDeliveries, readWebhook } from '../store.ts';

/** An event sent to a webhook, with its last attempt. */
export interface SentEvent {
  event_id: number;
  type: string;
  entity_id: string;
  state: DeliveryRow['state'];
  next_at: Temporal.Instant | null;
  /** Its `no` is the number of attempts. */
  last: AttemptRow;
}

type SentRow = Omit<SentEvent, 'last'> & AttemptRow;

const sentEventIn = ({ no, at, status, error, ms, ...row }: SentRow): SentEvent => ({
  ...row,
  last: { no, at, status, error, ms },
});

/** Reads the events sent to a webhook, newest first, after a cursor. */
async function readSent(
  sql: Queryable,
  accountId: string,
  webhookId: number,
  { behind, limit }: { behind: number | null; limit: number },
): Promise<SentEvent[]> {
  const rows = await sql<SentRow[]>`
    with sent as materialized (
      select distinct on (event_id) event_id, no, at, status, error, ms from delivery_attempts
      where account_id = ${accountId} and webhook_id = ${webhookId}
        ${behind === null ? sql`` : sql`and event_id < ${behind}::bigint`}
      order by event_id desc, no desc limit ${limit}
    )
    select sent.event_id, event.type, event.entity_id, d.state, d.next_at,
      sent.no, sent.at, sent.status, sent.error, sent.ms
    from sent ${lookUpEventsById(sql, 'sent', accountId)}
    join deliveries d on d.account_id = ${accountId} and d.webhook_id = ${webhookId}
      and d.entity = event.entity and d.entity_id = event.entity_id
      and d.version = event.version
    order by sent.event_id desc`;
  return rows.map(sentEventIn);
}

const mostCounted = 1_000;

/** Pending deliveries of a webhook: the first event of each entity, up to a limit. */
export interface Waiting {
  count: number;
  isMore: boolean;
  next: Temporal.Instant | null;
}

async function readWaiting(sql: Queryable, accountId: string, webhookId: number): Promise<Waiting> {
  const [row] = await sql<{ count: number; next: Temporal.Instant | null }[]>`
    select count(*)::int as count, min(next_at) as next from (
      select next_at from deliveries
      where account_id = ${accountId} and webhook_id = ${webhookId} and next_at is not null
      order by next_at, position limit ${mostCounted + 1}
    ) as waiting`;
  const count = row?.count ?? 0;
  return {
    count: Math.min(count, mostCounted),
    isMore: count > mostCounted,
    next: row?.next ?? null,
  };
}

/** Lists a webhook's sent events and pending deliveries. Throws 404 for an unknown webhook. */
export const listSent =
  ({ sql }: Pick<Base, 'sql'>) =>
  async (
    { accountId }: Pick<Ctx, 'accountId'>,
    webhookId: number,
    page: { behind: number | null; limit: number },
  ): Promise<{ events: SentEvent[]; waiting: Waiting }> => {
    if (!(await readWebhook(sql, accountId, webhookId))) throw refusal('webhook.not_found', {});
    const [events, waiting] = await Promise.all([
      readSent(sql, accountId, webhookId, page),
      readWaiting(sql, accountId, webhookId),
    ]);
    return { events, waiting };
  };

/** An event sent to a webhook, with all attempts. */
export interface SentEventDetail {
  event: FeedRow;
  body: EventBody;
  delivery: DeliveryRow;
}

/**
 * Reads an event sent to a webhook. Throws 404 if it was never sent to this webhook, or its record
 * was deleted.
 */
export const findSent =
  ({ sql }: Pick<Base, 'sql'>) =>
  async (
    { accountId }: Pick<Ctx, 'accountId'>,
    { webhookId, eventId }: { webhookId: number; eventId: number },
  ): Promise<SentEventDetail> => {
    const event = await readEvent(sql, accountId, eventId);
    if (!event) throw refusal('event.not_found', {});
    const deliveries = await readDeliveries(sql, accountId, event);
    const delivery = deliveries.find((one) => one.webhook_id === webhookId);
    if (!delivery) throw refusal('delivery.not_found', {});
    return { event, body: eventBody(event), delivery };
  };
