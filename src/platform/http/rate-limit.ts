import type { Clock } from '../clocks.ts';

export interface RateLimit {
  /** Calls a second that a key may make in the long run. */
  perSecond: number;
  /** Calls that it may make at once after a pause. */
  burst: number;
}

export interface RateVerdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until a call is allowed (refused) or the bucket is full (allowed). */
  resetSeconds: number;
}

/**
 * A token bucket for each key, in this process: with n processes a key may make n times as many
 * calls (documented). Buckets that are full again are forgotten.
 */
export function openRateLimiter(
  { perSecond, burst }: RateLimit,
  wall: Clock,
): (key: string) => RateVerdict {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  const mostBuckets = 10_000;

  const forgetFull = (nowMs: number): void => {
    for (const [key, bucket] of buckets) {
      if (bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond >= burst) buckets.delete(key);
    }
  };

  return (key) => {
    const nowMs = wall.nowMs();
    if (buckets.size > mostBuckets) forgetFull(nowMs);
    const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const refilled = bucket.tokens + (Math.max(0, nowMs - bucket.atMs) / 1000) * perSecond;
    bucket.tokens = Math.min(burst, refilled);
    bucket.atMs = nowMs;
    buckets.set(key, bucket);
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    const missing = allowed ? burst - bucket.tokens : 1 - bucket.tokens;
    return {
      allowed,
      limit: burst,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil(missing / perSecond),
    };
  };
}
