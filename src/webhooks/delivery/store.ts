import { lookUpEvents } from '../../events/index.ts';
import type { Queryable, Sql, Transaction } from '../../platform/postgres/connect.ts';
import { takesInsertsBeside } from '../../platform/postgres/distributed/engine.ts';
import { withinReach } from '../../platform/postgres/distributed/owners.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { visibleWebhooks } from '../store.ts';
import type { EventRow } from './body.ts';
import { type Health, healthAfter } from './breaker.ts';
import { dueUntil } from './schedule.ts';

export interface Receiver extends Health {
  account_id: string;
  id: number;
  url: string;
  secret_no: number;
  rotated_at: Temporal.Instant | null;
  secret_key_no: number;
  previous_key_no: number | null;
  deleted_at: Temporal.Instant | null;
  /** End of the last manual pause. */
  resumed_at: Temporal.Instant | null;
  only_entity: string | null;
  only_entity_id: string | null;
}

/** A delivery that this process has leased. */
export interface Delivery extends EventRow {
  version: number;
  event_id: number;
  tries: number;
  next_at: Temporal.Instant;
  expires_at: Temporal.Instant;
}

/** Result of one attempt: a status, or the error that prevented one. */
export interface Attempt {
  at: Temporal.Instant;
  status: number | null;
  error: string | null;
  ms: number;
  /** The receiver's Retry-After, if any. */
  retryAfterMs?: number;
}

export interface Outcome {
  delivery: Delivery;
  /** Null if there was no attempt. */
  attempt: Attempt | null;
  state: 'pending' | 'delivered' | 'failed';
  /** The next attempt's time, if pending. */
  nextAt: Temporal.Instant | null;
}

const receiverColumns = (sql: Queryable) => sql`
  account_id, id, url, secret_no, rotated_at, secret_key_no, previous_key_no, deleted_at, resumed_at,
  only_entity, only_entity_id, failures, pauses, paused_until`;

/** Reads a registered webhook with its receiver's health. Returns null if there is none. */
export async function readReceiver(
  sql: Queryable,
  accountId: string,
  id: number,
): Promise<Receiver | null> {
  const [row] = await sql<Receiver[]>`
    select ${receiverColumns(sql)} from webhooks where ${visibleWebhooks(sql, accountId)} and id = ${id}`;
  return row ?? null;
}

/** Returns webhooks with due work, longest waiting first. */
export async function dueReceivers(
  sql: Queryable,
  now: Temporal.Instant,
  most: number,
): Promise<Receiver[]> {
  return await sql<Receiver[]>`
    select ${receiverColumns(sql)} from webhooks
    where due_at <= ${now}::timestamptz ${withinReach(sql)} order by due_at limit ${most}`;
}

export interface Claim {
  now: Temporal.Instant;
  leasedUntil: Temporal.Instant;
  /** Claims deliveries due by this time. */
  dueBy: Temporal.Instant;
  most: number;
}

/**
 * Leases a webhook's due deliveries, oldest first. Leases none if the webhook was removed, paused
 * manually or by failures, or got another address or secret since it was read.
 */
export async function claimDeliveries(
  sql: Queryable,
  { account_id, id, url, secret_no, deleted_at, resumed_at }: Receiver,
  { now, leasedUntil, dueBy, most }: Claim,
): Promise<Delivery[]> {
  return await sql<Delivery[]>`
    with due as materialized (
      select ctid from deliveries
      where account_id = ${account_id} and webhook_id = ${id}
        and next_at <= ${dueBy}::timestamptz
        and (leased_until is null or leased_until <= ${now}::timestamptz)
        and exists (select 1 from webhooks w where w.account_id = ${account_id} and w.id = ${id}
          and w.secret_no = ${secret_no} and w.url = ${url}
          and w.deleted_at is not distinct from ${deleted_at}::timestamptz
          and (w.held_at is null or w.deleted_at is not null)
          and (w.paused_until is null or w.paused_until <= ${now}::timestamptz
            or w.deleted_at is not null))
      order by next_at, position limit ${most} for update of deliveries skip locked
    ),
    held as (
      update deliveries d set leased_until = ${leasedUntil}::timestamptz from due
      where d.account_id = ${account_id} and d.ctid = due.ctid
      returning d.entity, d.entity_id, d.version, d.event_id, d.position, d.tries, d.next_at,
        greatest(d.expires_at, ${resumed_at && dueUntil(resumed_at)}::timestamptz) as expires_at
    )
    select held.*, event.* from held ${lookUpEvents(sql, 'held', account_id)}
    order by held.next_at, held.position`;
}

/**
 * Locks a webhook's row until the transaction ends. Publishing events, ending deliveries and
 * setting the webhook's due time all take this lock, so that none misses another's writes.
 */
async function lockReceiver(
  tx: Transaction,
  { account_id, id }: Receiver,
): Promise<(Health & { url: string }) | null> {
  const [row] = await tx<(Health & { url: string })[]>`
    select url, failures, pauses, paused_until from webhooks
    where account_id = ${account_id} and id = ${id} for no key update`;
  return row ?? null;
}

interface Noted {
  event_id: number;
  attempts: number;
  at: Temporal.Instant;
  status: number | null;
  error: string | null;
  ms: number;
}

/**
 * Ends or postpones deliveries, records their attempts, and releases each entity's next event.
 * Finds rows by their full key and writes them by ctid, because without statistics a join on part
 * of the key looks cheap but is far more expensive.
 */
const writeOutcomes = async (
  tx: Transaction,
  { account_id, id }: Receiver,
  outcomes: Outcome[],
  now: Temporal.Instant,
): Promise<unknown> => {
  const rows = outcomes.map(({ delivery, state, nextAt, attempt }) => ({
    ...delivery,
    state,
    next_at: nextAt,
    at: attempt?.at,
    status: attempt?.status,
    error: attempt?.error,
    ms: attempt?.ms,
  }));
  const shape = `o (entity text, entity_id text, version int, state text, next_at timestamptz,
    at timestamptz, status smallint, error text, ms int)`;
  const written = tx`
    outcome as (select * from ${recordset(tx, shape, rows)}),
    written as (
      update deliveries d set state = o.state, next_at = o.next_at, leased_until = null,
        attempts = d.attempts + (o.at is not null)::int,
        tries = d.tries + (o.at is not null)::int,
        ended_at = case when o.state <> 'pending' then ${now}::timestamptz end
      from (
        select outcome.*, held.row from outcome cross join lateral (
          select h.ctid as row from deliveries h
          where h.account_id = ${account_id} and h.webhook_id = ${id}
            and h.entity = outcome.entity and h.entity_id = outcome.entity_id
            and h.version = outcome.version and h.state = 'pending' offset 0
        ) as held
      ) as o
      where d.account_id = ${account_id} and d.ctid = o.row
      returning d.entity, d.entity_id, d.version, d.event_id, d.attempts, d.state, o.at, o.status,
        o.error, o.ms
    )`;
  const letGo = tx`
    update deliveries d set next_at = ${now}::timestamptz,
      expires_at = ${dueUntil(now)}::timestamptz
    from written cross join lateral (
      select n.ctid as row, n.state, n.next_at from deliveries n /* sees what was written */
      where n.account_id = ${account_id} and n.webhook_id = ${id} and n.entity = written.entity
        and n.entity_id = written.entity_id and n.version > written.version
      order by n.version limit 1
    ) as following
    where written.state <> 'pending' and following.state = 'pending'
      and following.next_at is null and d.account_id = ${account_id}
      and d.ctid = following.row`;
  const columns = tx`(account_id, webhook_id, event_id, no, at, status, error, ms)`;
  if (takesInsertsBeside(tx)) {
    return await tx`
      with ${written},
      noted as (
        insert into delivery_attempts ${columns}
        select ${account_id}, ${id}::bigint, event_id, attempts, at, status, error, ms
        from written where at is not null
      )
      ${letGo}`;
  }
  const noted = await tx<Noted[]>`
    with ${written}, let_go as (${letGo} returning d.version)
    select event_id, attempts, at, status, error, ms from written where at is not null`;
  return await tx`
    insert into delivery_attempts ${columns}
    select ${account_id}, ${id}::bigint, * from ${recordset(
      tx,
      'n (event_id bigint, attempts int, at timestamptz, status smallint, error text, ms int)',
      noted,
    )}`;
};

/** Allowed clock difference between processes. */
const skew = '5 seconds';

/**
 * Sets when a webhook is due next: when a delivery is due or a lease ends, if ever. Reads leases
 * only if all due deliveries are leased, never for a backlog. Leases by a fast clock count too,
 * because if their process dies, nothing else makes the webhook due.
 */
const writeDue = (
  tx: Transaction,
  { account_id, id }: Receiver,
  now: Temporal.Instant,
): Promise<unknown> => tx`
  update webhooks w set due_at = case when next.at is not null and (w.held_at is null or w.deleted_at is not null)
    then greatest(next.at, w.paused_until) end
  from (
    select case when free.next_at <= ${now}::timestamptz then free.next_at
      else least(free.next_at, (
        select min(leased_until) from deliveries
        where account_id = ${account_id} and webhook_id = ${id}
          and next_at <= ${now}::timestamptz + ${skew}::interval
          and leased_until > ${now}::timestamptz)) end as at
    from (select (
      select next_at from deliveries
      where account_id = ${account_id} and webhook_id = ${id} and next_at is not null
        and (leased_until is null or leased_until <= ${now}::timestamptz)
      order by next_at, position limit 1) as next_at offset 0) as free
    offset 0
  ) as next
  where w.account_id = ${account_id} and w.id = ${id}`;

const writeHealth = (
  tx: Transaction,
  { account_id, id }: Receiver,
  { failures, pauses, paused_until }: Health,
): Promise<unknown> => tx`
  update webhooks set failures = ${failures}, pauses = ${pauses},
    paused_until = ${paused_until}::timestamptz
  where account_id = ${account_id} and id = ${id}`;

const changed = (before: Health, after: Health): boolean =>
  before.failures !== after.failures || before.pauses !== after.pauses;

export interface Finish {
  outcomes: Outcome[];
  now(): Temporal.Instant;
  /** True to release the receiver until its next due delivery. */
  leave: boolean;
}

/** Records the outcomes of leased deliveries, in the order their attempts ended. */
export async function finishDeliveries(
  sql: Sql,
  receiver: Receiver,
  { outcomes, now: read, leave }: Finish,
): Promise<void> {
  await sql.begin(async (tx) => {
    const before = await lockReceiver(tx, receiver);
    if (before === null) return;
    // Read the clock after the lock, so that it is later than deliveries queued or leased during
    // the wait.
    const now = read();
    const attempted = outcomes.filter((one) => one.attempt !== null);
    // Attempts at a former address say nothing about the present one.
    const counted = before.url === receiver.url ? attempted : [];
    const successes = counted.map((one) => one.state === 'delivered');
    const after = healthAfter(before, successes, now);
    await Promise.all([
      outcomes.length > 0 && writeOutcomes(tx, receiver, outcomes, now),
      changed(before, after) && writeHealth(tx, receiver, after),
      leave && writeDue(tx, receiver, now),
    ]);
  });
}
