/** How long an event is tried for a webhook, from the moment at which it was due. */
const tried = { hours: 72 } as const;

/** The longest pause after each try, in seconds; the last one repeats. */
const pauses = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400] as const;

/** Until when a delivery is tried that falls due now. */
export const dueUntil = (now: Temporal.Instant): Temporal.Instant => now.add(tried);

/** What fell due before this moment and was never tried is given up now. */
export const givenUpBefore = (now: Temporal.Instant): Temporal.Instant => now.subtract(tried);

/** Between half of a pause and all of it: receivers that came back are not met by all at once. */
export const jittered = (ms: number, random: () => number): number =>
  Math.round((ms / 2) * (1 + random()));

/**
 * When to try again after so many tries in a row that failed; null: not any more. Tries are of
 * this delivery since it was queued or sent again by hand.
 */
export function retryAt(
  now: Temporal.Instant,
  { tries, expiresAt }: { tries: number; expiresAt: Temporal.Instant },
  random: () => number = Math.random,
): Temporal.Instant | null {
  const seconds = pauses[Math.min(tries, pauses.length) - 1] ?? pauses[0];
  const next = now.add({ milliseconds: jittered(seconds * 1000, random) });
  return Temporal.Instant.compare(next, expiresAt) < 0 ? next : null;
}
