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

/** A bucket takes 200 bytes. */
const mostBuckets = 50_000;

/**
 * A token bucket for each key, in this process: with n processes a key may make n times as many
 * calls (documented). Only the buckets that were used last are kept.
 * A negative cost gives tokens back.
 */
export function createRateLimiter(
  { perSecond, burst }: RateLimit,
  wall: Clock,
): (key: string, cost?: number) => RateVerdict {
  const buckets = new Map<string, { tokens: number; atMs: number }>();

  /** Of as many as strangers can cause, those that were not asked for the longest are full again. */
  const forgetOldest = (): void => {
    const [oldest] = buckets.keys();
    if (oldest !== undefined) buckets.delete(oldest);
  };

  return (key, cost = 1) => {
    const nowMs = wall.nowMs();
    const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const refilled = bucket.tokens + (Math.max(0, nowMs - bucket.atMs) / 1000) * perSecond;
    bucket.tokens = Math.min(burst, refilled);
    bucket.atMs = nowMs;
    // Put again at the end: the first of a Map is the one that was not asked for the longest.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > mostBuckets) forgetOldest();
    const allowed = bucket.tokens >= cost;
    if (allowed) bucket.tokens -= cost;
    const missing = allowed ? burst - bucket.tokens : 1 - bucket.tokens;
    return {
      allowed,
      limit: burst,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil(missing / perSecond),
    };
  };
}
