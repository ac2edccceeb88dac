import type { Config } from '../config/index.ts';
import { holdStill } from '../money/ledger/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { ServiceClocks } from '../platform/clocks.ts';
import type { Metrics } from '../platform/metrics.ts';
import { createSweepRuns } from '../platform/sweep-runs.ts';
import { createSweeper } from '../platform/sweeps.ts';
import { moveClock } from '../sandbox/index.ts';
import { type SweptParts, sweepsOf } from './sweeps.ts';

interface TimeWingParts {
  swept: SweptParts;
  clocks: ServiceClocks;
  metrics: Metrics;
}

/** Builds the work triggered by time, or by moving the sandbox's clock. */
export function createTimeWing(
  base: Base,
  config: Config,
  { swept, clocks, metrics }: TimeWingParts,
) {
  const { sql, log } = base;
  const sweeps = sweepsOf(base, config, swept);
  const sweeper = createSweeper(sql, clocks, sweeps, {
    log,
    metrics,
    holdStill: holdStill(sql),
    runs: createSweepRuns(sql, clocks.wall),
  });
  return {
    sweeps,
    sweeper,
    moveClock: (actor: Actor, to: Temporal.Instant) =>
      moveClock({ ...base, actor }, sweeper, {
        advance_to: to,
        days: null,
        hours: null,
        minutes: null,
      }),
  };
}
