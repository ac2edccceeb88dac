import type { Queryable } from '../platform/postgres/connect.ts';
import { failuresThatPause } from './delivery/breaker.ts';
import { dueUntil } from './delivery/schedule.ts';
import { type AttemptRow, visibleWebhooks, type WebhookRow } from './store.ts';

export interface FailingWebhook {
  id: number;
  url: string;
  failures: number;
}

/** Lists an account's webhooks paused by repeated failures. Omits those that a user paused. */
export const failingWebhooks = (sql: Queryable, accountId: string): Promise<FailingWebhook[]> =>
  sql<FailingWebhook[]>`
    select id, url, failures from webhooks
    where ${visibleWebhooks(sql, accountId)} and failures >= ${failuresThatPause} and held_at is null
    order by id`;

type LastAttempt = Pick<AttemptRow, 'at' | 'status' | 'error'>;

export interface WebhookHealth
  extends Pick<
    WebhookRow,
    'id' | 'url' | 'event_types' | 'created_at' | 'rotated_at' | 'held_at' | 'secret_no'
  > {
  /** Consecutive failures. */
  failures: number;
  /** True while failures pause it. It is probed from time to time. */
  isFailing: boolean;
  paused_until: Temporal.Instant | null;
  /** The newest event's last attempt. */
  last: LastAttempt | null;
}

type HealthRow = Omit<WebhookHealth, 'isFailing' | 'last'> & {
  [K in keyof LastAttempt]: LastAttempt[K] | null;
};

const healthIn = ({ at, status, error, ...row }: HealthRow): WebhookHealth => ({
  ...row,
  isFailing: row.failures >= failuresThatPause,
  last: at === null ? null : { at, status, error },
});

/** Lists an account's webhooks with their health, oldest first. */
export async function readWebhookHealth(
  sql: Queryable,
  accountId: string,
): Promise<WebhookHealth[]> {
  const rows = await sql<HealthRow[]>`
    select w.id, w.url, w.event_types, w.created_at, w.rotated_at, w.held_at, w.secret_no, w.failures,
      w.paused_until,
      a.at, a.status, a.error
    from (select * from webhooks where ${visibleWebhooks(sql, accountId)}) as w
    left join lateral (
      select at, status, error from delivery_attempts
      where account_id = ${accountId} and webhook_id = w.id
      order by event_id desc, no desc limit 1
    ) as a on true
    order by w.id`;
  return rows.map(healthIn);
}

/**
 * Returns how many seconds the oldest undelivered event has waited since it was queued or resent.
 * Returns 0 if there is none.
 */
export async function oldestDelivery(sql: Queryable, now: Temporal.Instant): Promise<number> {
  const [row] = await sql<{ expires: Temporal.Instant | null }[]>`
    select min(expires_at) as expires from deliveries where next_at is not null`;
  if (!row?.expires) return 0;
  return Math.max(0, row.expires.until(dueUntil(now)).total('seconds'));
}

/**
 * Counts pending deliveries, up to `most`, and the webhooks paused by failures. Omits those that a
 * user paused.
 */
export async function countDeliveries(
  sql: Queryable,
  most: number,
): Promise<{ waiting: number; failing: number }> {
  const [row] = await sql<{ waiting: number; failing: number }[]>`
    select (select count(*)::int from (
        select 1 from deliveries where next_at is not null limit ${most}) as due) as waiting,
      (select count(*)::int from webhooks
        where only_entity is null and deleted_at is null and held_at is null
          and failures >= ${failuresThatPause}
      ) as failing`;
  return row ?? { waiting: 0, failing: 0 };
}
