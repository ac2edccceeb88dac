/** Retry window of a delivery, from its due time. */
const tried = { hours: 72 } as const;

/** Maximum pause after each attempt, in seconds. The last one repeats. */
const pauses = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400] as const;

/** Returns when a delivery that falls due now expires. */
export const dueUntil = (now: Temporal.Instant): Temporal.Instant => now.add(tried);

/**
 * Returns the time before which due deliveries have expired. Returns null if a manual pause ended,
 * or the address changed, after that time.
 */
export function givenUpBefore(
  now: Temporal.Instant,
  resumedAt: Temporal.Instant | null,
): Temporal.Instant | null {
  const before = now.subtract(tried);
  // After a manual pause or a new address, deliveries get a full retry window.
  return resumedAt !== null && Temporal.Instant.compare(resumedAt, before) > 0 ? null : before;
}

/**
 * Returns between half and all of a pause, so that a recovered receiver does not get every delivery
 * at once.
 */
export const jittered = (ms: number, random: () => number): number =>
  Math.round((ms / 2) * (1 + random()));

/** Maximum pause that a receiver can request. */
const maxRetryAfterMs = 3_600_000;

/**
 * Returns Retry-After in milliseconds, up to an hour. Accepts seconds or an HTTP date. Returns 0 if
 * it is absent or invalid, or if the status does not mean "later" (429, 503).
 */
export function requestedPauseMs(status: number, retryAfter: string | null, nowMs: number): number {
  if ((status !== 429 && status !== 503) || retryAfter === null) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - nowMs;
  return Number.isNaN(ms) ? 0 : Math.min(maxRetryAfterMs, Math.max(0, ms));
}

export interface Tries {
  tries: number;
  expiresAt: Temporal.Instant;
  /** Minimum pause. */
  retryAfterMs?: number;
}

/**
 * Returns the next attempt's time, or null after the last. Counts attempts since the delivery was
 * queued or manually resent.
 */
export function retryAt(
  now: Temporal.Instant,
  { tries, expiresAt, retryAfterMs = 0 }: Tries,
  random: () => number = Math.random,
): Temporal.Instant | null {
  const seconds = pauses[Math.min(tries, pauses.length) - 1] ?? pauses[0];
  const next = now.add({ milliseconds: Math.max(retryAfterMs, jittered(seconds * 1000, random)) });
  return Temporal.Instant.compare(next, expiresAt) < 0 ? next : null;
}
