import type { Clock } from './clocks.ts';

/** Caches the result of `load` for a while. Concurrent callers share one load. */
export function cached<T>(wall: Clock, forMs: number, load: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | null = null;
  let untilMs = 0;
  return () => {
    const nowMs = wall.nowMs();
    if (value === null || nowMs >= untilMs) {
      untilMs = nowMs + forMs;
      const loading = load();
      value = loading;
      loading.catch(() => {
        if (value === loading) value = null;
      });
    }
    return value;
  };
}
