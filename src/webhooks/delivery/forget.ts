import type { Sql } from '../../platform/postgres/connect.ts';

const forgottenAtOnce = 2_000;

/** Removes deliveries that ended before a moment, with their attempts; answers how many. */
const forgetDeliveries = async (sql: Sql, before: Temporal.Instant): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    with forgotten as (
      delete from deliveries where ctid = any(array(
        select ctid from deliveries where ended_at < ${before}::timestamptz
        order by ended_at limit ${forgottenAtOnce} for update skip locked))
      returning account_id, webhook_id, event_id
    ),
    attempts as (
      delete from delivery_attempts where ctid = any(array(
        select own.row from forgotten f cross join lateral (
          select a.ctid as row from delivery_attempts a where a.account_id = f.account_id
            and a.webhook_id = f.webhook_id and a.event_id = f.event_id offset 0
        ) as own))
    )
    select count(*)::int as count from forgotten`;
  return row?.count ?? 0;
};

/** Removes webhooks that have nothing to tell any more: of one entity, and removed ones. */
const forgetWebhooks = async (sql: Sql, before: Temporal.Instant): Promise<number> => {
  const rows = await sql`
    delete from webhooks where ctid = any(array(
      select w.ctid from webhooks w
      where (w.only_entity is not null or w.deleted_at is not null)
        and coalesce(w.deleted_at, w.created_at) < ${before}::timestamptz
        and w.due_at is null and not exists (
          select 1 from deliveries d where d.account_id = w.account_id and d.webhook_id = w.id)
      order by coalesce(w.deleted_at, w.created_at) limit ${forgottenAtOnce} for update skip locked))`;
  return rows.count;
};

/** Forgets how events of long ago were delivered. The events stay: they are the audit log. */
export async function forgetDelivered(
  sql: Sql,
  wallNow: Temporal.Instant,
  days: number,
): Promise<void> {
  const before = wallNow.subtract({ hours: days * 24 });
  while ((await forgetDeliveries(sql, before)) > 0);
  while ((await forgetWebhooks(sql, before)) > 0);
}
