import type { Clock } from '../../platform/clocks.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { createSlots, type Slots } from '../../platform/slots.ts';
import type { Secrets } from '../subscriptions/secret.ts';
import type { Guard } from './address.ts';
import type { Sender } from './attempt.ts';
import { failuresThatPause } from './breaker.ts';
import { createHolder } from './leases.ts';
import { createMessenger } from './message.ts';
import { givenUpBefore } from './schedule.ts';
import { type Delivery, dueReceivers, type Outcome, type Receiver } from './store.ts';

export interface DeliveryTerms {
  /** Concurrent attempts per receiver and process. */
  concurrency: number;
  /** For the entire response. */
  timeoutMs: number;
}

export interface DelivererParts {
  sql: Sql;
  wall: Clock;
  log: Log;
  metrics: Metrics;
  guard: Guard;
  secrets: Secrets;
  sender: Sender;
  terms: DeliveryTerms;
}

export interface Deliverer {
  /** Starts due deliveries that this process is not delivering yet, without waiting for them. */
  tick(): Promise<void>;
  /** Resolves when everything started has ended. */
  settled(): Promise<void>;
  /** Stops new attempts, waits for running ones, and releases unsent deliveries. */
  stop(): Promise<void>;
}

/** Maximum number of receivers served concurrently, and of concurrent attempts at all of them. */
const mostReceivers = 1_000;
const mostInFlight = 512;

/** Maximum batch size. Batches start small and double while every delivery succeeds. */
const mostClaimed = 256;
const keyOf = ({ account_id, id }: Receiver): string => `${account_id} ${id}`;

/**
 * Attempts a batch with bounded concurrency, until it is done, the receiver is down, or time is up.
 */
async function attemptAll(
  receiver: Receiver,
  batch: Delivery[],
  { parts, inFlight, goesOn }: { parts: DelivererParts; inFlight: Slots; goesOn: () => boolean },
): Promise<Outcome[]> {
  const { wall, terms } = parts;
  const attempt = createMessenger(receiver, parts);
  const untilMs = wall.nowMs() + terms.timeoutMs;
  const outcomes: Outcome[] = [];
  const waiting = batch.values();
  let failures = receiver.failures >= failuresThatPause ? 0 : receiver.failures;
  const mayGoOn = (): boolean => goesOn() && failures < failuresThatPause && wall.nowMs() < untilMs;
  const lane = async (): Promise<void> => {
    for (const delivery of waiting) {
      const outcome = await inFlight.run(() => attempt(delivery, mayGoOn()));
      outcomes.push(outcome);
      if (outcome.attempt !== null) failures = outcome.state === 'delivered' ? 0 : failures + 1;
    }
  };
  await Promise.all(Array.from({ length: terms.concurrency }, lane));
  return outcomes;
}

/**
 * Delivers due events. A process leases its deliveries, so that another takes over when it dies. A
 * delivery whose response was lost is repeated. Receivers compete only for the totals above, so a
 * hung one occupies only its few attempts until it is paused.
 */
export function createDeliverer(parts: DelivererParts): Deliverer {
  const { sql, wall, log, metrics, sender, terms } = parts;
  const running = new Map<string, Promise<void>>();
  const inFlight = createSlots(mostInFlight);
  const holder = createHolder({ sql, wall, metrics, timeoutMs: terms.timeoutMs });
  let stopping = false;
  const goesOn = (): boolean => !stopping;

  /**
   * Sends the next batch while the last one is being recorded. Ends after a failure or a batch that
   * is not full.
   */
  const deliver = async (receiver: Receiver): Promise<void> => {
    const probing = receiver.failures >= failuresThatPause;
    const before = probing ? givenUpBefore(wall.now(), receiver.resumed_at) : null;
    if (before !== null) await holder.giveUp(receiver, before, goesOn);
    let size = probing ? 1 : 2 * terms.concurrency;
    let writing: Promise<void> = Promise.resolve();
    for (;;) {
      const batch = stopping ? [] : await holder.claim(receiver, size);
      const outcomes = await attemptAll(receiver, batch, { parts, inFlight, goesOn });
      await writing;
      const wentWell = outcomes.every((one) => one.state === 'delivered');
      const leave = stopping || batch.length < size || !wentWell;
      writing = holder.finish(receiver, outcomes, leave);
      if (leave) return await writing;
      // The next `await writing` throws the failure. Until then, it must not count as unhandled.
      writing.catch(() => {});
      size = Math.min(mostClaimed, 2 * Math.max(size, terms.concurrency));
    }
  };

  const serve = async (receiver: Receiver): Promise<void> => {
    try {
      if (receiver.deleted_at === null) return await deliver(receiver);
      await holder.giveUp(receiver, wall.now().add({ hours: 24 * 365 }), goesOn);
      await holder.finish(receiver, [], true);
    } catch (error) {
      const { account_id: account, id: webhook } = receiver;
      log.error({ err: error, account, webhook }, 'deliveries failed and will be tried again');
    }
  };

  const start = (receiver: Receiver): void => {
    const key = keyOf(receiver);
    if (stopping || running.size >= mostReceivers || running.has(key)) return;
    running.set(
      key,
      serve(receiver).finally(() => running.delete(key)),
    );
  };

  const settled = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running.values());
  };

  return {
    async tick() {
      if (stopping) return;
      const most = mostReceivers + running.size;
      for (const receiver of await dueReceivers(sql, wall.now(), most)) start(receiver);
    },
    settled,
    async stop() {
      stopping = true;
      await settled();
      await sender.close();
    },
  };
}
