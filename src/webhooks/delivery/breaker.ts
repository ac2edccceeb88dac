import { jittered } from './schedule.ts';

/** A receiver's health, as stored with its webhook. */
export interface Health {
  /** Attempts that failed since the last success. */
  failures: number;
  /** Pauses since the last success. */
  pauses: number;
  paused_until: Temporal.Instant | null;
}

/** So many failures in a row pause a webhook; after the pause one attempt probes it. */
export const failuresThatPause = 5;

const firstPauseMs = 5_000;
const longestPauseMs = 5 * 60_000;

/**
 * A receiver's health after some attempts, in the order in which they ended. A receiver that is
 * away costs one attempt for each pause, and pauses double up to 5 minutes: so long, at most,
 * events wait after it came back.
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
