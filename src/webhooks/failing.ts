import type { Queryable } from '../platform/postgres/connect.ts';
import { failuresThatPause } from './delivery/breaker.ts';
import { dueUntil } from './delivery/schedule.ts';
import { type AttemptRow, visibleWebhooks, type WebhookRow } from './store.ts';

/** A webhook whose last tries failed. */
export interface FailingWebhook {
  id: number;
  url: string;
  failures: number;
}

/** The webhooks of an account that are paused or about to be. */
export const failingWebhooks = (sql: Queryable, accountId: string): Promise<FailingWebhook[]> =>
  sql<FailingWebhook[]>`
    select id, url, failures from webhooks
    where ${visibleWebhooks(sql, accountId)} and failures >= ${failuresThatPause} and held_at is null
    order by id`;

type LastAttempt = Pick<AttemptRow, 'at' | 'status' | 'error'>;

/** A webhook and how its receiver fares. */
export interface WebhookHealth
  extends Pick<WebhookRow, 'id' | 'url' | 'event_types' | 'created_at' | 'rotated_at' | 'held_at'> {
  /** Attempts that failed since the last success. */
  failures: number;
  /** So many failures were enough for a pause: it is tried from time to time. */
  isFailing: boolean;
  /** End of its pause. */
  paused_until: Temporal.Instant | null;
  /** The last attempt of the newest event. */
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

/** The webhooks of an account, oldest first, with how each fares. */
export async function readWebhookHealth(
  sql: Queryable,
  accountId: string,
): Promise<WebhookHealth[]> {
  const rows = await sql<HealthRow[]>`
    select w.id, w.url, w.event_types, w.created_at, w.rotated_at, w.held_at, w.failures, w.paused_until,
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

/** Seconds that the oldest undelivered event has waited; 0 if none waits. */
export async function oldestDelivery(sql: Queryable, now: Temporal.Instant): Promise<number> {
  const [row] = await sql<{ expires: Temporal.Instant | null }[]>`
    select min(expires_at) as expires from deliveries where next_at is not null`;
  if (!row?.expires) return 0;
  return Math.max(0, row.expires.until(dueUntil(now)).total('seconds'));
}

/** Counts pending deliveries and the webhooks that cannot receive them now, up to `most`. */
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
