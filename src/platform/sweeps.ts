import type { ServiceClocks } from './clocks.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { type Sql, withAdvisoryLock } from './postgres/connect.ts';

/** Time's part in the business: something that falls due and is then done, in batches. */
export interface Sweep {
  /** What happens, as the sandbox's clock reports it: `payment requests expired`. */
  name: string;
  /** The moment at which the next piece of work falls due on the business clock, if any. */
  nextDue(): Promise<Temporal.Instant | null>;
  /** Does what is due by now, in batches; answers how many rows moved. Safe beside another run. */
  run(now: Temporal.Instant): Promise<number>;
}

export interface Happened {
  what: string;
  count: number;
}

/** Runs sweeps as time passes, or as the sandbox's clock is moved. */
export interface Sweeper {
  /** Runs everything that is due now, once; skipped when the clock is being moved. */
  tick(): Promise<void>;
  /** Jumps from due moment to due moment up to the target, running what falls due, in order. */
  advanceTo(target: Temporal.Instant): Promise<Happened[]>;
}

const lockKey = 'recaudo sweeps';

/** A sweep that still finds work after so many runs at one moment is faulty: stop instead of spinning. */
const mostRoundsAtOneMoment = 10_000;

async function earliestDue(sweeps: Sweep[]): Promise<Temporal.Instant | null> {
  const dues = await Promise.all(sweeps.map((sweep) => sweep.nextDue()));
  return dues.reduce<Temporal.Instant | null>((least, due) => {
    if (due === null) return least;
    return least === null || Temporal.Instant.compare(due, least) < 0 ? due : least;
  }, null);
}

/**
 * Lets calls queue inside the process: each that waits for the lock would keep a connection of the
 * pool, which the one that has the lock needs.
 */
function oneAtATime<I, O>(call: (input: I) => Promise<O>): (input: I) => Promise<O> {
  let last: Promise<unknown> = Promise.resolve();
  return (input) => {
    const next = () => call(input);
    const done = last.then(next, next);
    last = done;
    return done;
  };
}

export function openSweeper(
  sql: Sql,
  clocks: ServiceClocks,
  sweeps: Sweep[],
  { log, metrics }: { log: Log; metrics: Metrics },
): Sweeper {
  const runDue = async (tally: (what: string, count: number) => void): Promise<void> => {
    for (const sweep of sweeps) {
      for (let round = 0; round < mostRoundsAtOneMoment; round += 1) {
        const now = clocks.business.now();
        const due = await sweep.nextDue();
        if (due === null || Temporal.Instant.compare(due, now) > 0) break;
        const count = await sweep.run(now);
        metrics.sweptTotal.inc({ sweep: sweep.name }, count);
        tally(sweep.name, count);
        if (count === 0) break;
      }
    }
  };

  const tick = async (): Promise<void> => {
    await clocks.refresh();
    await withAdvisoryLock(sql, lockKey, { mode: 'shared', wait: false }, async () => {
      for (const sweep of sweeps) {
        try {
          const now = clocks.business.now();
          const due = await sweep.nextDue();
          if (due === null || Temporal.Instant.compare(due, now) > 0) continue;
          metrics.sweptTotal.inc({ sweep: sweep.name }, await sweep.run(now));
        } catch (error) {
          metrics.sweepFailuresTotal.inc({ sweep: sweep.name });
          log.error({ err: error, sweep: sweep.name }, 'a sweep failed and will be tried again');
        }
      }
    });
  };

  const moveTo = async (target: Temporal.Instant): Promise<Happened[]> => {
    const counts = new Map<string, number>();
    const tally = (what: string, count: number): void => {
      if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count);
    };
    await withAdvisoryLock(sql, lockKey, { mode: 'exclusive', wait: true }, async () => {
      await clocks.refresh();
      await runDue(tally);
      for (;;) {
        const due = await earliestDue(sweeps);
        if (due === null || Temporal.Instant.compare(due, target) > 0) break;
        await clocks.moveTo(due);
        await runDue(tally);
        const after = await earliestDue(sweeps);
        // Work that cannot be done now (locked elsewhere, a channel without an answer) waits.
        if (after !== null && Temporal.Instant.compare(after, due) <= 0) break;
      }
      await clocks.moveTo(target);
      await runDue(tally);
    });
    return [...counts].map(([what, count]) => ({ what, count }));
  };

  return { tick, advanceTo: oneAtATime(moveTo) };
}

/** How many rows one transaction of a sweep moves, inside one account. */
const sweptAtOnce = 2000;

/**
 * Does what is due account by account, so much at a time: across accounts `skip locked` does not
 * work on distributed tables.
 */
export async function sweepAccounts(
  accounts: readonly { account_id: string; due: number }[],
  sweep: (accountId: string, most: number) => Promise<number>,
): Promise<number> {
  let moved = 0;
  for (const { account_id, due } of accounts) {
    for (let left = due; left > 0; left -= sweptAtOnce) {
      moved += await sweep(account_id, Math.min(left, sweptAtOnce));
    }
  }
  return moved;
}
