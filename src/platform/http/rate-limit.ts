import type { Clock } from '../clocks.ts';
import type { RateExchange } from '../processes/rates.ts';

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

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * A token bucket for each key. The processes of a machine tell each other under `shared.name` what
 * they took, several times a second: for so long a key may take as much in each of them. Those of
 * other machines know nothing of it (documented). Only the buckets that were used last are kept.
 * A negative cost gives tokens back.
 */
export function createRateLimiter(
  { perSecond, burst }: RateLimit,
  wall: Clock,
  shared?: { name: string; exchange: RateExchange },
): (key: string, cost?: number) => RateVerdict {
  const buckets = new Map<string, Bucket>();
  let taken = new Map<string, number>();

  /** Of as many as strangers can cause, those that were not asked for the longest are full again. */
  const forgetOldest = (): void => {
    const [oldest] = buckets.keys();
    if (oldest !== undefined) buckets.delete(oldest);
  };

  const refilled = (key: string): Bucket => {
    const nowMs = wall.nowMs();
    const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const tokens = bucket.tokens + (Math.max(0, nowMs - bucket.atMs) / 1000) * perSecond;
    bucket.tokens = Math.min(burst, tokens);
    bucket.atMs = nowMs;
    // Put again at the end: the first of a Map is the one that was not asked for the longest.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > mostBuckets) forgetOldest();
    return bucket;
  };

  shared?.exchange.share(shared.name, {
    spent() {
      const spent = [...taken];
      taken = new Map();
      return spent;
    },
    spend(spent) {
      for (const [key, tokens] of spent) {
        const bucket = refilled(key);
        // An overdraft is carried over, but never beyond what a pause refills.
        bucket.tokens = Math.max(-burst, bucket.tokens - tokens);
      }
    },
  });

  return (key, cost = 1) => {
    const bucket = refilled(key);
    const allowed = bucket.tokens >= cost;
    if (allowed) {
      bucket.tokens -= cost;
      if (shared) taken.set(key, (taken.get(key) ?? 0) + cost);
    }
    const missing = allowed ? burst - bucket.tokens : 1 - bucket.tokens;
    return {
      allowed,
      limit: burst,
      remaining: Math.max(0, Math.floor(bucket.tokens)),
      resetSeconds: Math.ceil(missing / perSecond),
    };
  };
}
