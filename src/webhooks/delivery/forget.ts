import type { Sql } from '../../platform/postgres/connect.ts';

const forgottenAtOnce = 2_000;

/** Removes deliveries that ended before a moment, with their attempts; answers how many. */
const forgetDeliveries = async (sql: Sql, before: Temporal.Instant): Promise<number> => {
  if (sql.layout.isDistributed) return await forgetDeliveriesByKey(sql, before);
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

/** The same where rows lie on several nodes: nothing is held there before it is removed. */
const forgetDeliveriesByKey = async (sql: Sql, before: Temporal.Instant): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    with old as materialized (
      select account_id, webhook_id, entity, entity_id, version, event_id from deliveries
      where ended_at < ${before}::timestamptz order by ended_at limit ${forgottenAtOnce}
    ),
    forgotten as (
      delete from deliveries d using old
      where d.account_id = old.account_id and d.webhook_id = old.webhook_id
        and d.entity = old.entity and d.entity_id = old.entity_id and d.version = old.version
        and d.ended_at < ${before}::timestamptz
      returning d.account_id, d.webhook_id, d.event_id
    ),
    attempts as (
      delete from delivery_attempts a using forgotten f
      where a.account_id = f.account_id and a.webhook_id = f.webhook_id
        and a.event_id = f.event_id
    )
    select count(*)::int as count from forgotten`;
  return row?.count ?? 0;
};

const forgetWebhooksByKey = async (sql: Sql, before: Temporal.Instant): Promise<number> => {
  const rows = await sql`
    with old as materialized (
      select w.account_id, w.id from webhooks w
      where (w.only_entity is not null or w.deleted_at is not null)
        and coalesce(w.deleted_at, w.created_at) < ${before}::timestamptz
        and w.due_at is null and not exists (
          select 1 from deliveries d where d.account_id = w.account_id and d.webhook_id = w.id)
      order by coalesce(w.deleted_at, w.created_at) limit ${forgottenAtOnce}
    )
    delete from webhooks w using old
    where w.account_id = old.account_id and w.id = old.id and w.due_at is null`;
  return rows.count;
};

/** Removes webhooks that have nothing to tell any more: of one entity, and removed ones. */
const forgetWebhooks = async (sql: Sql, before: Temporal.Instant): Promise<number> => {
  if (sql.layout.isDistributed) return await forgetWebhooksByKey(sql, before);
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
