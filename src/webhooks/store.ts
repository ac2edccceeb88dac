import { everyEvent, type FeedRow } from '../events/index.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

export interface WebhookRow {
  account_id: string;
  id: number;
  url: string;
  /** Ids of event types, ascending. One that wants every event also has that of `everyEvent`. */
  event_types: number[];
  /** Generation of its secret, from 1. */
  secret_no: number;
  rotated_at: Temporal.Instant | null;
  /** The service's key that derives the secret. */
  secret_key_no: number;
  /** The former secret's key number. Null if there is no former secret, or it was revoked. */
  previous_key_no: number | null;
  created_at: Temporal.Instant;
  /** Start of a manual pause. Null if not paused. */
  held_at: Temporal.Instant | null;
  /**
   * Number of pauses, resumptions and edits. Counts edits too because release 1.0.0 derives
   * versions of events from it.
   */
  holds: number;
}

const columns = (sql: Queryable) =>
  sql`account_id, id, url, event_types, secret_no, rotated_at, secret_key_no, previous_key_no,
    created_at, held_at, holds`;

/**
 * Selects the webhooks that an account sees. Excludes those of a single entity, and removed ones.
 */
export const visibleWebhooks = (sql: Queryable, accountId: string) =>
  sql`account_id = ${accountId} and only_entity is null and deleted_at is null`;

/** True if a webhook `w` wants an event type `t`. */
export const wantsType = (sql: Queryable) =>
  sql`(t.id = any(w.event_types) or ${everyEvent.id}::smallint = any(w.event_types))`;

export async function readWebhooks(sql: Queryable, accountId: string): Promise<WebhookRow[]> {
  return await sql<WebhookRow[]>`
    select ${columns(sql)} from webhooks where ${visibleWebhooks(sql, accountId)} order by id`;
}

export async function readWebhook(
  sql: Queryable,
  accountId: string,
  id: number,
): Promise<WebhookRow | null> {
  const [row] = await sql<WebhookRow[]>`
    select ${columns(sql)} from webhooks where ${visibleWebhooks(sql, accountId)} and id = ${id}`;
  return row ?? null;
}

export async function insertWebhook(tx: Queryable, row: WebhookRow): Promise<void> {
  await tx`
    insert into webhooks (account_id, id, url, event_types, secret_no, secret_key_no, created_at)
    values (${row.account_id}, ${row.id}, ${row.url}, ${row.event_types}::smallint[],
      ${row.secret_no}, ${row.secret_key_no}, ${row.created_at}::timestamptz)`;
}

/**
 * Marks a webhook as removed. A worker finishes the batch in progress, if any, and ends all other
 * deliveries. Returns null for an unknown webhook.
 */
export async function markRemoved(
  tx: Queryable,
  accountId: string,
  id: number,
  wallNow: Temporal.Instant,
): Promise<WebhookRow | null> {
  const [row] = await tx<WebhookRow[]>`
    update webhooks set deleted_at = ${wallNow}::timestamptz, due_at = ${wallNow}::timestamptz
    where ${visibleWebhooks(tx, accountId)} and id = ${id} returning ${columns(tx)}`;
  return row ?? null;
}

/** Locks a webhook until the transaction ends. Returns null for an unknown one. */
export async function lockWebhook(
  tx: Queryable,
  accountId: string,
  id: number,
): Promise<WebhookRow | null> {
  const [row] = await tx<WebhookRow[]>`
    select ${columns(tx)} from webhooks
    where ${visibleWebhooks(tx, accountId)} and id = ${id} for no key update`;
  return row ?? null;
}

/**
 * Writes a locked webhook's address and event types. A new address starts without failures, and due
 * deliveries go to it immediately, with a full retry window.
 */
export async function writeSubscription(
  tx: Queryable,
  { account_id, id }: Pick<WebhookRow, 'account_id' | 'id'>,
  { url, event_types }: Pick<WebhookRow, 'url' | 'event_types'>,
  wallNow: Temporal.Instant,
): Promise<WebhookRow> {
  const moves = tx`url <> ${url}`;
  const [row] = await tx<WebhookRow[]>`
    update webhooks set url = ${url}, event_types = ${event_types}::smallint[], holds = holds + 1,
      failures = case when ${moves} then 0 else failures end,
      pauses = case when ${moves} then 0 else pauses end,
      paused_until = case when ${moves} then null else paused_until end,
      resumed_at = case when ${moves} then ${wallNow}::timestamptz else resumed_at end,
      due_at = case when ${moves} and held_at is null then ${wallNow}::timestamptz else due_at end
    where account_id = ${account_id} and id = ${id} returning ${columns(tx)}`;
  if (!row) throw new Error(`webhook ${id} is missing despite its lock`);
  return row;
}

/** Pauses or resumes a webhook. Returns null if it is unchanged or missing. */
export async function writeHold(
  tx: Queryable,
  accountId: string,
  { id, held, wallNow }: { id: number; held: boolean; wallNow: Temporal.Instant },
): Promise<WebhookRow | null> {
  const [row] = await tx<WebhookRow[]>`
    update webhooks set holds = holds + 1,
      held_at = case when ${held}::boolean then ${wallNow}::timestamptz end,
      resumed_at = case when ${held}::boolean then resumed_at else ${wallNow}::timestamptz end,
      paused_until = case when ${held}::boolean then paused_until end,
      due_at = case when not ${held}::boolean then ${wallNow}::timestamptz end
    where ${visibleWebhooks(tx, accountId)} and id = ${id} and (held_at is not null) <> ${held}::boolean
    returning ${columns(tx)}`;
  return row ?? null;
}

export interface Rotated {
  row: WebhookRow;
  secret: string;
  /** End of the former secret's overlap. Null if it no longer signs. */
  previousUntil: Temporal.Instant | null;
}

export interface Advance {
  wallNow: Temporal.Instant;
  /** The service's key that derives the next secret. */
  keyNo: number;
  /**
   * Changes nothing if the last generation began after this time, unless `revokeNow` ends a former
   * secret.
   */
  notAfter: Temporal.Instant;
  /** Ends a former secret that still signs. */
  revokeNow: boolean;
}

/**
 * Starts the secret's next generation. Returns null if that was just done, or for an unknown
 * webhook.
 */
export async function advanceSecret(
  tx: Queryable,
  accountId: string,
  id: number,
  { wallNow, keyNo, notAfter, revokeNow }: Advance,
): Promise<WebhookRow | null> {
  const [row] = await tx<WebhookRow[]>`
    update webhooks set secret_no = secret_no + 1, rotated_at = ${wallNow}::timestamptz,
      previous_key_no = case when ${revokeNow}::boolean then null else secret_key_no end,
      secret_key_no = ${keyNo}
    where ${visibleWebhooks(tx, accountId)} and id = ${id}
      and (rotated_at is null or rotated_at <= ${notAfter}::timestamptz
        or (${revokeNow}::boolean and previous_key_no is not null))
    returning ${columns(tx)}`;
  return row ?? null;
}

/** Starts the next generation of every registered secret from one key, without overlap. */
export async function advanceAll(
  tx: Queryable,
  { keyNo, wallNow }: { keyNo: number; wallNow: Temporal.Instant },
): Promise<WebhookRow[]> {
  return await tx<WebhookRow[]>`
    update webhooks set secret_no = secret_no + 1, rotated_at = ${wallNow}::timestamptz,
      previous_key_no = null, secret_key_no = ${keyNo}
    where only_entity is null and deleted_at is null and secret_key_no <> ${keyNo}
    returning ${columns(tx)}`;
}

/** Returns true if a signing secret derives from a key, including one in its overlap. */
export async function usesKey(
  sql: Queryable,
  { keyNo, rotatedAfter }: { keyNo: number; rotatedAfter: Temporal.Instant },
): Promise<boolean> {
  const rows = await sql`
    select 1 from webhooks
    where (secret_key_no = ${keyNo}
        or previous_key_no = ${keyNo} and rotated_at > ${rotatedAfter}::timestamptz)
      and (deleted_at is null or only_entity is not null) limit 1`;
  return rows.length > 0;
}

export async function countWebhooks(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from webhooks where only_entity is null and deleted_at is null`;
  return row?.count ?? 0;
}

export interface AttemptRow {
  no: number;
  at: Temporal.Instant;
  status: number | null;
  error: string | null;
  ms: number;
}

export interface DeliveryRow {
  webhook_id: number;
  url: string;
  state: 'pending' | 'delivered' | 'failed';
  next_at: Temporal.Instant | null;
  attempts: AttemptRow[];
}

/** A delivery with one of its attempts, or none. */
type DeliveryLine = Omit<DeliveryRow, 'attempts'> & {
  [K in keyof AttemptRow]: AttemptRow[K] | null;
};

const attemptOf = ({ no, at, status, error, ms }: DeliveryLine): AttemptRow[] =>
  no === null || at === null || ms === null ? [] : [{ no, at, status, error, ms }];

/** Reads an event's deliveries to existing webhooks, with all attempts. */
export async function readDeliveries(
  sql: Queryable,
  accountId: string,
  event: Pick<FeedRow, 'id' | 'entity' | 'entity_id' | 'version'>,
): Promise<DeliveryRow[]> {
  const rows = await sql<DeliveryLine[]>`
    with receiver as (
      select id, url from webhooks where ${visibleWebhooks(sql, accountId)}
      union all
      select id, url from webhooks
      where account_id = ${accountId} and only_entity = ${event.entity}
        and only_entity_id = ${event.entity_id} and deleted_at is null
    )
    select d.webhook_id, receiver.url, d.state, d.next_at, a.no, a.at, a.status, a.error, a.ms
    from receiver
    join deliveries d on d.account_id = ${accountId} and d.webhook_id = receiver.id
      and d.entity = ${event.entity} and d.entity_id = ${event.entity_id}
      and d.version = ${event.version}
    left join delivery_attempts a on a.account_id = d.account_id and a.webhook_id = d.webhook_id
      and a.event_id = d.event_id
    order by d.webhook_id, a.no`;
  return [...Map.groupBy(rows, (row) => row.webhook_id).values()].flatMap((own) =>
    own.slice(0, 1).map((line) => ({ ...line, attempts: own.flatMap(attemptOf) })),
  );
}
