import {
  eventsWait,
  eventTypes,
  type Place,
  type Placed,
  placedAtOnce,
  placedEvents,
  placeEvents,
  placeEventsOf,
  waitingAccounts,
} from '../../events/index.ts';
import type { Base } from '../../platform/base.ts';
import { eachAccount } from '../../platform/each-account.ts';
import { withAdvisoryLock } from '../../platform/postgres/advisory-lock.ts';
import type { Sql, Transaction } from '../../platform/postgres/connect.ts';
import { takesSeveralAccounts } from '../../platform/postgres/distributed/engine.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { isTimelineSettled, settleTimeline } from '../../platform/postgres/timeline.ts';
import { dueUntil } from '../delivery/schedule.ts';
import { wantsType } from '../store.ts';

type Parts = Pick<Base, 'sql' | 'clocks'>;

const lockKey = 'recaudo webhooks publish';
const exclusively = { mode: 'exclusive', wait: false } as const;

const beginning: Place = { accountId: '', entity: '', entityId: '', version: 0 };

interface Wanting {
  account_id: string;
  id: number;
}

const sqlAccounts = (tx: Transaction, { accounts }: Placed) => tx`${accounts}::text[]`;

/**
 * Locks the webhooks that may want these events until the transaction ends. A concurrent change of
 * deliveries sees all inserts, or waits.
 */
async function lockWebhooks(tx: Transaction, placed: Placed): Promise<Wanting[]> {
  const accounts = sqlAccounts(tx, placed);
  const [ordinary, once] = await Promise.all([
    tx<Wanting[]>`
      select account_id, id from webhooks
      where account_id = any(${accounts}) and only_entity is null and deleted_at is null
      order by account_id, id for no key update`,
    tx<Wanting[]>`
      with once as materialized (
        select distinct found.account_id, found.id from ${placedEvents(tx, placed)} cross join lateral (
          select o.account_id, o.id from webhooks o
          where o.account_id = any(${accounts}) and o.account_id = e.account_id
            and o.only_entity = e.entity and o.only_entity_id = e.entity_id offset 0
        ) as found
        -- Evaluated once: reads no event if there is no webhook of a single entity.
        where exists (
          select from webhooks w where w.account_id = any(${accounts}) and w.only_entity is not null)
      )
      select * from (
        select w.account_id, w.id from once join webhooks w using (account_id, id)
        where w.account_id = any(${accounts}) and w.deleted_at is null
        order by w.account_id, w.id for no key update of w
      ) as held`,
  ]);
  return [...ordinary, ...once];
}

const typeIds = eventTypes.map(({ id }) => id);
const typeNames = eventTypes.map(({ name }) => name);

/**
 * Queues published events for the webhooks that want them, and wakes those. While an earlier event
 * of the entity is undelivered, the new one waits without a time.
 */
async function queueDeliveries(
  tx: Transaction,
  placed: Placed,
  webhooks: Wanting[],
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    with wanted as (
      select e.account_id, w.id as webhook_id, e.entity, e.entity_id, e.version,
        e.id as event_id, e.position,
        row_number() over (partition by e.account_id, w.id, e.entity, e.entity_id
          order by e.version) = 1
        and not coalesce((
          select d.state = 'pending' from deliveries d
          where d.account_id = any(${sqlAccounts(tx, placed)}) and d.account_id = e.account_id
            and d.webhook_id = w.id and d.entity = e.entity
            and d.entity_id = e.entity_id and d.version < e.version
          order by d.version desc limit 1), false) as free
      from ${placedEvents(tx, placed)}
      join unnest(${typeIds}::smallint[], ${typeNames}::text[]) as t (id, name) on t.name = e.type
      join ${recordset(tx, 'held (account_id text, id bigint)', webhooks)}
        on held.account_id = e.account_id
      join webhooks w on w.account_id = held.account_id and w.id = held.id
        and w.account_id = any(${sqlAccounts(tx, placed)})
      where ${wantsType(tx)}
        and (w.only_entity is null
          or (w.only_entity = e.entity and w.only_entity_id = e.entity_id))
    ),
    queued as (
      insert into deliveries (account_id, webhook_id, entity, entity_id, version, event_id,
        position, state, next_at, expires_at)
      select account_id, webhook_id, entity, entity_id, version, event_id, position, 'pending',
        case when free then ${now}::timestamptz end,
        case when free then ${dueUntil(now)}::timestamptz end
      from wanted
      on conflict (account_id, webhook_id, entity, entity_id, version) do nothing
      returning account_id, webhook_id
    )
    update webhooks w set due_at = greatest(${now}::timestamptz, w.paused_until)
    from (select distinct account_id, webhook_id from queued) q
    where w.account_id = any(${sqlAccounts(tx, placed)})
      and w.account_id = q.account_id and w.id = q.webhook_id and w.held_at is null
      and (w.due_at is null or w.due_at > greatest(${now}::timestamptz, w.paused_until))`;
}

async function queuePlaced(tx: Transaction, placed: Placed, now: Temporal.Instant): Promise<void> {
  const webhooks = await lockWebhooks(tx, placed);
  if (webhooks.length > 0) await queueDeliveries(tx, placed, webhooks, now);
}

/** Returns true if more is due now. */
export type Publish = () => Promise<boolean>;

/**
 * Skips ahead in the sequences after a promotion. Runs outside the publisher's transaction, because
 * draws of ids wait for it.
 */
async function settle(sql: Sql): Promise<true> {
  await settleTimeline(sql);
  return true;
}

/**
 * Publishes on a single server, one process at a time. Each run continues after the last one, round
 * robin over accounts, so that one account's flood does not delay others.
 */
function publishAround({ sql, clocks }: Parts): Publish {
  let after = beginning;
  const publishSome = async (tx: Transaction): Promise<Placed | null> => {
    const placed = await placeEvents(tx, after);
    if (placed) await queuePlaced(tx, placed, clocks.wall.now());
    return placed;
  };
  return async () => {
    if (!(await eventsWait(sql))) return false;
    const outcome = await withAdvisoryLock(sql, lockKey, exclusively, async (tx) => {
      const settled = await isTimelineSettled(tx);
      return { settled, placed: settled ? await publishSome(tx) : null };
    });
    if (outcome === null) return false;
    const { settled, placed } = outcome;
    if (!settled) return await settle(sql);
    const before = after;
    after = placed?.count === placedAtOnce ? placed.end : beginning;
    return placed?.count === placedAtOnce || before !== beginning;
  };
}

const accountsInRun = 1_000;
const accountsAtOnce = 4;

/**
 * Publishes on several nodes, account by account on its own node, so that an unreachable node
 * delays only its accounts.
 */
function publishByAccount({ sql, clocks }: Parts): Publish {
  const publishOf = async (accountId: string): Promise<boolean> => {
    const isMore = await sql.begin(async (tx) => {
      if (!(await isTimelineSettled(tx))) return null;
      const placed = await placeEventsOf(tx, accountId);
      if (placed) await queuePlaced(tx, placed, clocks.wall.now());
      return placed?.count === placedAtOnce;
    });
    return isMore ?? (await settle(sql));
  };
  return async () => {
    const accounts = await waitingAccounts(sql, accountsInRun);
    if (accounts.length === 0) return false;
    const how = {
      atOnce: accountsAtOnce,
      failed: 'Events of some accounts could not be published.',
    };
    const outcome = await withAdvisoryLock(sql, lockKey, exclusively, async () => {
      let isMore = accounts.length === accountsInRun;
      await eachAccount(accounts, how, async (accountId) => {
        isMore = (await publishOf(accountId)) || isMore;
      });
      return { isMore };
    });
    return outcome?.isMore ?? false;
  };
}

/**
 * Moves events from the outbox into the feed and to the webhooks that want them. One process at a
 * time, so that positions become visible in order.
 */
export function createPublisher(parts: Parts): Publish {
  const around = publishAround(parts);
  const byAccount = publishByAccount(parts);
  return () => (takesSeveralAccounts(parts.sql) ? around() : byAccount());
}
