import type { Clock } from './clocks.ts';

/**
 * Caches results per key for a while after they arrive. Concurrent callers of a key share one load.
 */
export function cachedByKey<T>(
  wall: Clock,
  forMs: number,
): (key: string, load: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, { value: Promise<T>; untilMs: number }>();
  return (key, load) => {
    const nowMs = wall.nowMs();
    for (const [other, { untilMs }] of kept) if (nowMs >= untilMs) kept.delete(other);
    const known = kept.get(key);
    if (known) return known.value;
    const entry = { value: load(), untilMs: Number.POSITIVE_INFINITY };
    kept.set(key, entry);
    entry.value.then(
      () => {
        entry.untilMs = wall.nowMs() + forMs;
      },
      () => kept.delete(key),
    );
    return entry.value;
  };
}

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
