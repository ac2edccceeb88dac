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

/** Connections of the pool that deliveries use: calls of the API need theirs. */
const mostStatements = 4;

const givenUpAtOnce = 1_000;
const finishAgainMs = 500;
const leaseMarginMs = 10_000;

export interface Holder {
  /** Leases deliveries that are due by a moment; default: by now. */
  claim(receiver: Receiver, most: number, dueBy?: Temporal.Instant): Promise<Delivery[]>;
  /** Records the outcomes. `leave`: until the next one is due. */
  finish(receiver: Receiver, outcomes: Outcome[], leave: boolean): Promise<void>;
  /** Ends deliveries without an attempt: of a removed webhook, or waiting for too long. */
  giveUp(receiver: Receiver, dueBy: Temporal.Instant, goesOn: () => boolean): Promise<void>;
}

export interface HolderParts {
  sql: Sql;
  wall: Clock;
  metrics: Metrics;
  /** Deliveries are begun within this time of the claim, and each ends within it. */
  timeoutMs: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Counts deliveries that succeeded, will be retried or failed; omits unsent ones. */
function countsOf(outcomes: readonly Outcome[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { attempt, state } of outcomes) {
    if (attempt === null && state !== 'failed') continue;
    const outcome = state === 'pending' ? 'retried' : state;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return counts;
}

/** The leased deliveries of a process: they return when the process dies. */
export function createHolder({ sql, wall, metrics, timeoutMs }: HolderParts): Holder {
  const statements = createSlots(mostStatements);
  const leaseMs = 2 * timeoutMs + leaseMarginMs;

  const claim: Holder['claim'] = (receiver, most, dueBy) =>
    // The lease begins when it is its turn, not while it waits for one.
    statements.run(() => {
      const now = wall.now();
      const leasedUntil = now.add({ milliseconds: leaseMs });
      return claimDeliveries(sql, receiver, { now, leasedUntil, dueBy: dueBy ?? now, most });
    });

  /** Retries a write lost with a connection while the lease lasts. */
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
