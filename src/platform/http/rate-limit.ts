import type { Clock } from '../clocks.ts';
import type { RateExchange } from '../processes/rates.ts';

export interface RateLimit {
  /** Sustained calls per second and key. */
  perSecond: number;
  /** Burst after a pause. */
  burst: number;
}

export interface RateVerdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until a call is allowed (if refused) or the bucket is full (if allowed). */
  resetSeconds: number;
}

/** Maximum number of buckets. Each takes about 200 bytes. */
const mostBuckets = 50_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * Creates token buckets by key. Under `shared.name` a machine's processes exchange their use
 * several times a second, so a key may briefly exceed its rate; other machines are not counted.
 * Keeps the most recently used buckets. A negative cost returns tokens.
 */
export function createRateLimiter(
  { perSecond, burst }: RateLimit,
  wall: Clock,
  shared?: { name: string; exchange: RateExchange },
): (key: string, cost?: number) => RateVerdict {
  const buckets = new Map<string, Bucket>();
  let taken = new Map<string, number>();

  /**
   * Evicts the least recently used bucket, because callers can create any number. It has probably
   * refilled.
   */
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
    // Reinsert at the end, because a Map's first entry is the least recently used.
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
        // Other processes' calls may overdraw the bucket, by at most one burst.
        bucket.tokens = Math.max(-burst, bucket.tokens - tokens);
      }
    },
  });

  return (key, cost = 1) => {
    const bucket = refilled(key);
    const allowed = cost < 0 || bucket.tokens >= cost;
    if (allowed) {
      bucket.tokens = Math.min(burst, bucket.tokens - cost);
      if (shared) taken.set(key, (taken.get(key) ?? 0) + cost);
    }
    const missing = (allowed ? burst : cost) - bucket.tokens;
    return {
      allowed,
      limit: burst,
      remaining: Math.max(0, Math.floor(bucket.tokens)),
      resetSeconds: Math.ceil(missing / perSecond),
    };
  };
}
