import type { Sql } from '../../platform/postgres/connect.ts';
import { removeOf, removeSome } from '../../platform/postgres/distributed/removals.ts';

const forgottenAtOnce = 2_000;

/** Deletes deliveries that ended before a moment, with their attempts. Returns their number. */
const forgetDeliveries = async (sql: Sql, before: Temporal.Instant): Promise<number> => {
  const forgotten = removeSome(sql, 'forgotten', {
    table: 'deliveries',
    key: ['account_id', 'webhook_id', 'entity', 'entity_id', 'version'],
    where: sql`t.ended_at < ${before}::timestamptz order by t.ended_at`,
    most: forgottenAtOnce,
    still: sql`t.ended_at < ${before}::timestamptz`,
    returning: ['account_id', 'webhook_id', 'event_id'],
  });
  const attempts = removeOf(sql, 'forgotten', {
    table: 'delivery_attempts',
    by: ['account_id', 'webhook_id', 'event_id'],
  });
  const [row] = await sql<{ count: number }[]>`
    with ${forgotten}, attempts as (${attempts})
    select count(*)::int as count from forgotten`;
  return row?.count ?? 0;
};

/**
 * Deletes old webhooks that have no deliveries left: removed ones, and those of a single entity.
 */
const forgetWebhooks = async (sql: Sql, before: Temporal.Instant): Promise<number> => {
  const forgotten = removeSome(sql, 'forgotten', {
    table: 'webhooks',
    key: ['account_id', 'id'],
    where: sql`(t.only_entity is not null or t.deleted_at is not null)
      and coalesce(t.deleted_at, t.created_at) < ${before}::timestamptz
      and t.due_at is null and not exists (
        select 1 from deliveries d where d.account_id = t.account_id and d.webhook_id = t.id)
      order by coalesce(t.deleted_at, t.created_at)`,
    most: forgottenAtOnce,
    still: sql`t.due_at is null`,
    returning: ['id'],
  });
  const [row] = await sql<{ count: number }[]>`
    with ${forgotten} select count(*)::int as count from forgotten`;
  return row?.count ?? 0;
};

/** Deletes old records of deliveries. The events stay, as the audit log. */
export async function forgetDelivered(
  sql: Sql,
  wallNow: Temporal.Instant,
  days: number,
): Promise<void> {
  const before = wallNow.subtract({ hours: days * 24 });
  while ((await forgetDeliveries(sql, before)) > 0);
  while ((await forgetWebhooks(sql, before)) > 0);
}
