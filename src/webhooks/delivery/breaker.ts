import { jittered } from './schedule.ts';

/** A receiver's health, stored with its webhook. */
export interface Health {
  /** Consecutive failures. */
  failures: number;
  /** Pauses since the last success. */
  pauses: number;
  paused_until: Temporal.Instant | null;
}

/** Number of consecutive failures that pause a webhook. One attempt probes it afterwards. */
export const failuresThatPause = 5;

const firstPauseMs = 5_000;
const longestPauseMs = 5 * 60_000;

/**
 * Returns a receiver's health after attempts, in the order they ended. An unreachable receiver
 * costs one attempt per pause. Pauses double up to 5 minutes, the longest that events wait after
 * its recovery.
 */
export function healthAfter(
  before: Health,
  successes: readonly boolean[],
  now: Temporal.Instant,
  random: () => number = Math.random,
): Health {
  const lastSuccess = successes.lastIndexOf(true);
  const trailing = successes.length - lastSuccess - 1;
  const since = lastSuccess === -1 ? before : { failures: 0, pauses: 0, paused_until: null };
  const failures = since.failures + trailing;
  if (trailing === 0 || failures < failuresThatPause) return { ...since, failures };
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(since.pauses, 16));
  return {
    failures,
    pauses: since.pauses + 1,
    paused_until: now.add({ milliseconds: jittered(pauseMs, random) }),
  };
}
