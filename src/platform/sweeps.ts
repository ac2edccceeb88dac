import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, ServiceClocks } from './clocks.ts';
import { refusal } from './codes.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { withAdvisoryLock } from './postgres/advisory-lock.ts';
import type { Sql } from './postgres/connect.ts';
import { doing } from './postgres/deadlines.ts';
import { isNodeAway } from './postgres/distributed/engine.ts';
import type { SweepRuns } from './sweep-runs.ts';

/** Work that falls due with time, done in batches. */
export interface Sweep {
  /** Name in the sandbox clock's report: `payment requests expired`. */
  name: string;
  /** Returns when the next work falls due on the business clock, or null. */
  nextDue(): Promise<Temporal.Instant | null>;
  /** Does due work in batches. Returns the number of moved rows. Safe alongside another run. */
  run(now: Temporal.Instant): Promise<number>;
}

export interface SweepCount {
  what: string;
  count: number;
}

export interface Moved {
  /** When the move began. A move that waits for another begins where that one ended. */
  from: Temporal.Instant;
  happened: SweepCount[];
  /** The work that kept the clock from its target, or null. */
  blockedBy: string | null;
}

/** A sweep's next due time. Null if nothing is planned. */
export interface SweepDue {
  name: string;
  due: Temporal.Instant | null;
}

/** Runs sweeps as time passes, or as the sandbox's clock moves. */
export interface Sweeper {
  /** Returns each sweep's next due time, in running order. */
  dues(): Promise<SweepDue[]>;
  /**
   * Runs all due sweeps once, unless the clock is moving or differs from the database's. Returns
   * milliseconds until the next is due, or null.
   */
  tick(): Promise<number | null>;
  /**
   * Moves from due time to due time up to the target, running each time's work until none is due.
   * Waits for blocked work (a locked row). After `stallMs` without progress the clock stays where
   * it is.
   */
  advanceTo(target: Temporal.Instant): Promise<Moved>;
}

export interface SweeperParts {
  log: Log;
  metrics: Metrics;
  runs?: SweepRuns;
  /** Runs a function while no new work can fall due, for the last check before the clock moves. */
  holdStill?: <T>(run: () => Promise<T>) => Promise<T>;
  /** Maximum wait of a clock move for blocked work. Default: 30 seconds. */
  stallMs?: number;
}

const lockKey = 'recaudo sweeps';
const usualStallMs = 30_000;

/** Pauses between retries of blocked work. Short at first, so that a move stays quick. */
const pausesMs = [5, 10, 20, 50, 100, 250];

const earlier = (one: Temporal.Instant | null, other: Temporal.Instant | null) => {
  if (one === null || other === null) return one ?? other;
  return Temporal.Instant.compare(one, other) <= 0 ? one : other;
};

async function earliestDue(sweeps: Sweep[]): Promise<Temporal.Instant | null> {
  const dues = await Promise.all(sweeps.map((sweep) => sweep.nextDue()));
  return dues.reduce(earlier, null);
}

/**
 * Queues calls inside the process, because each attempt to take the lock occupies a pool
 * connection, which the lock's owner may need.
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

/** Retries `attempt` until it returns a result. Returns null after `stallMs` without progress. */
async function untilStalled<T>(
  nowMs: () => number,
  stallMs: number,
  attempt: () => Promise<{ done: T } | { moved: boolean }>,
): Promise<T | null> {
  let since = nowMs();
  for (let tries = 0; ; tries += 1) {
    const outcome = await attempt();
    if ('done' in outcome) return outcome.done;
    if (outcome.moved) {
      since = nowMs();
      tries = -1;
      continue;
    }
    if (nowMs() - since >= stallMs) return null;
    await pause(pausesMs[Math.min(tries, pausesMs.length - 1)]);
  }
}

type Tally = (what: string, count: number) => void;

const pastOn =
  (clock: Clock) =>
  (due: Temporal.Instant | null): boolean =>
    due !== null && Temporal.Instant.compare(due, clock.now()) <= 0;

interface PlayParts extends Required<Pick<SweeperParts, 'stallMs' | 'holdStill'>> {
  runOnce(sweep: Sweep): Promise<number>;
}

/**
 * Returns a function that advances time to a moment, sweep by sweep. It returns the blocked work,
 * or null at the target. It throws while a node of a distributed database is down.
 */
function playerOf(
  sql: Sql,
  clocks: ServiceClocks,
  sweeps: Sweep[],
  { runOnce, stallMs, holdStill }: PlayParts,
) {
  const isPast = pastOn(clocks.business);

  const isDue = async (sweep: Sweep): Promise<boolean> => isPast(await sweep.nextDue());

  /** Runs one round over all sweeps, because the result of one may make another's work due. */
  const playRound = async (tally: Tally) => {
    let moved = false;
    const waiting: string[] = [];
    for (const sweep of sweeps) {
      while (await isDue(sweep)) {
        const count = await runOnce(sweep);
        tally(sweep.name, count);
        moved ||= count > 0;
        if (count > 0) continue;
        if (await isDue(sweep)) waiting.push(sweep.name);
        break;
      }
    }
    return { moved, waiting };
  };

  /** Runs due work until none is left. Returns the work that it gave up on, or null. */
  const playMoment = async (tally: Tally) => {
    let waiting: string[] = [];
    const done = await untilStalled(clocks.wall.nowMs, stallMs, async () => {
      const round = await playRound(tally);
      waiting = round.waiting;
      if (!round.moved && waiting.length === 0) return { done: true };
      return { moved: round.moved };
    });
    return done ? null : waiting.join(', ');
  };

  return async (target: Temporal.Instant, tally: Tally): Promise<string | null> => {
    await clocks.refresh();
    if (isNodeAway(sql)) throw refusal('database_node_away', {});
    for (;;) {
      const blockedBy = await playMoment(tally);
      if (blockedBy !== null) return blockedBy;
      if (Temporal.Instant.compare(clocks.business.now(), target) >= 0) return null;
      await holdStill(async () => {
        const due = await earliestDue(sweeps);
        // First run the payments that came in concurrently.
        if (isPast(due)) return;
        await clocks.moveTo(earlier(due, target) ?? target);
      });
    }
  };
}

export function createSweeper(
  sql: Sql,
  clocks: ServiceClocks,
  sweeps: Sweep[],
  { log, metrics, runs, stallMs = usualStallMs, holdStill = (run) => run() }: SweeperParts,
): Sweeper {
  const isPast = pastOn(clocks.business);

  const runOnce = async (sweep: Sweep): Promise<number> => {
    const beganMs = clocks.wall.nowMs();
    const count = await sweep.run(clocks.business.now());
    runs?.ran(sweep.name, { beganMs, moved: count });
    metrics.sweptTotal.inc({ sweep: sweep.name }, count);
    return count;
  };

  /** Logs a failure, because the work of the tick or move is done. */
  const flushRuns = async (): Promise<void> => {
    try {
      await runs?.flush();
    } catch (error) {
      log.error({ err: error }, 'the outcomes of sweeps could not be written; retrying');
    }
  };

  const tick = async (): Promise<number | null> => {
    const dues: (Temporal.Instant | null)[] = [];
    await clocks.refresh();
    if (!clocks.agree()) return null;
    await withAdvisoryLock(sql, lockKey, { mode: 'shared', wait: false }, async () => {
      for (const sweep of sweeps) {
        try {
          const due = await sweep.nextDue();
          dues.push(due);
          if (isPast(due)) await runOnce(sweep);
        } catch (error) {
          metrics.sweepFailuresTotal.inc({ sweep: sweep.name });
          runs?.failed(sweep.name, error);
          log.error({ err: error, sweep: sweep.name }, 'a sweep failed and will be tried again');
        }
      }
    });
    await flushRuns();
    const next = dues.reduce(earlier, null);
    return next && next.epochMilliseconds - clocks.business.now().epochMilliseconds;
  };

  const play = playerOf(sql, clocks, sweeps, { runOnce, stallMs, holdStill });

  const moveTo = async (target: Temporal.Instant): Promise<Moved> => {
    const counts = new Map<string, number>();
    const tally: Tally = (what, count) => {
      if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count);
    };
    const played = await untilStalled(clocks.wall.nowMs, stallMs, async () => {
      const once = await withAdvisoryLock(
        sql,
        lockKey,
        { mode: 'exclusive', wait: false },
        async () => {
          await clocks.refresh();
          const from = clocks.business.now();
          return { from, blockedBy: await play(target, tally) };
        },
      );
      return once ? { done: once } : { moved: false };
    });
    await clocks.seenByAll();
    await flushRuns();
    return {
      from: played?.from ?? clocks.business.now(),
      happened: [...counts].map(([what, count]) => ({ what, count })),
      blockedBy: played ? played.blockedBy : 'another move of the clock, or sweeps under way',
    };
  };

  const advance = oneAtATime(moveTo);
  const dues = (): Promise<SweepDue[]> =>
    Promise.all(sweeps.map(async ({ name, nextDue }) => ({ name, due: await nextDue() })));

  return { dues, tick, advanceTo: (target) => doing('sweep', () => advance(target)) };
}
