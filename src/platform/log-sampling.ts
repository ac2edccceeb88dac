import type { Clock } from './clocks.ts';

/**
 * Passes on one call per interval, with the number of calls skipped before it. For log lines that
 * anyone can cause.
 */
export function sampled<T>(
  wall: Pick<Clock, 'nowMs'>,
  everyMs: number,
  write: (one: T, leftOut: number) => void,
): (one: T) => void {
  let leftOut = 0;
  let writtenMs = Number.NEGATIVE_INFINITY;
  return (one) => {
    const nowMs = wall.nowMs();
    if (nowMs - writtenMs < everyMs) {
      leftOut += 1;
      return;
    }
    writtenMs = nowMs;
    write(one, leftOut);
    leftOut = 0;
  };
}
