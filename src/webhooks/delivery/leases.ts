import type { Clock } from '../../platform/clocks.ts';
import { isConnectionFailure } from '../../platform/errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { createSlots } from '../../platform/slots.ts';
import { failed } from './message.ts';
import {
  claimDeliveries,
  type Delivery,
  finishDeliveries,
  type Outcome,
  type Receiver,
} from './store.ts';

/** Limits connections for deliveries, because the API needs the rest of the pool. */
const mostStatements = 4;

const givenUpAtOnce = 1_000;
const finishAgainMs = 500;
const leaseMarginMs = 10_000;

export interface Holder {
  /** Leases deliveries due by a moment, by default now. */
  claim(receiver: Receiver, most: number, dueBy?: Temporal.Instant): Promise<Delivery[]>;
  /** Records the outcomes. `leave` releases the receiver until its next due delivery. */
  finish(receiver: Receiver, outcomes: Outcome[], leave: boolean): Promise<void>;
  /** Ends deliveries without an attempt, because their webhook was removed or they expired. */
  giveUp(receiver: Receiver, dueBy: Temporal.Instant, goesOn: () => boolean): Promise<void>;
}

export interface HolderParts {
  sql: Sql;
  wall: Clock;
  metrics: Metrics;
  /** A delivery starts within this time after its claim, and ends within the same time again. */
  timeoutMs: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Counts deliveries by outcome. Omits pending ones that were not attempted. */
function countsOf(outcomes: readonly Outcome[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { attempt, state } of outcomes) {
    if (attempt === null && state !== 'failed') continue;
    const outcome = state === 'pending' ? 'retried' : state;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return counts;
}

/** Manages a process's leases on deliveries, which expire when it dies. */
export function createHolder({ sql, wall, metrics, timeoutMs }: HolderParts): Holder {
  const statements = createSlots(mostStatements);
  const leaseMs = 2 * timeoutMs + leaseMarginMs;

  const claim: Holder['claim'] = (receiver, most, dueBy) =>
    // Starts the lease after waiting for a connection, not before.
    statements.run(() => {
      const now = wall.now();
      const leasedUntil = now.add({ milliseconds: leaseMs });
      return claimDeliveries(sql, receiver, { now, leasedUntil, dueBy: dueBy ?? now, most });
    });

  /** Retries a write whose connection was lost, while the lease lasts. */
  const write = async (receiver: Receiver, outcomes: Outcome[], leave: boolean): Promise<void> => {
    const untilMs = wall.nowMs() + leaseMarginMs;
    for (;;) {
      try {
        const order = { outcomes, now: wall.now, leave };
        return await statements.run(() => finishDeliveries(sql, receiver, order));
      } catch (error) {
        if (!isConnectionFailure(error) || wall.nowMs() > untilMs) throw error;
        await pause(finishAgainMs);
      }
    }
  };

  const finish: Holder['finish'] = async (receiver, outcomes, leave) => {
    await write(receiver, outcomes, leave);
    for (const [outcome, count] of countsOf(outcomes)) {
      metrics.webhookDeliveries.inc({ outcome }, count);
    }
  };

  return {
    claim,
    finish,
    async giveUp(receiver, dueBy, goesOn) {
      while (goesOn()) {
        const batch = await claim(receiver, givenUpAtOnce, dueBy);
        if (batch.length === 0) return;
        await finish(receiver, batch.map(failed), false);
      }
    },
  };
}
