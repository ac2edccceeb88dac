/** Inquiries about an open attempt, in seconds after its call, on the business clock. */
const steps = [60, 120, 300, 600, 900, 3600, 6 * 3600, 24 * 3600, 48 * 3600, 72 * 3600];

/** After this time no answer is expected, and each inquiry alerts the operator. */
export const undecidedAfterSeconds = 72 * 3600;

const daySeconds = 24 * 3600;

const isPast = (moment: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(moment, now) <= 0;

/** Returns the schedule's next time; daily after its end. */
export function nextAskAt(startedAt: Temporal.Instant, now: Temporal.Instant): Temporal.Instant {
  const next = steps
    .map((seconds) => startedAt.add({ seconds }))
    .find((moment) => Temporal.Instant.compare(moment, now) > 0);
  return next ?? now.add({ seconds: daySeconds });
}

/** Inquires after a payer's step when its time is over, at the latest. */
export function askPayerAt(
  startedAt: Temporal.Instant,
  until: Temporal.Instant,
  now: Temporal.Instant,
): Temporal.Instant {
  const next = nextAskAt(startedAt, now);
  const isSooner = isPast(until, next) && !isPast(until, now);
  return isSooner ? until : next;
}

/** The first asking comes when the call is surely over. */
export const firstAskAt = (startedAt: Temporal.Instant, answersWithinS: number): Temporal.Instant =>
  startedAt.add({ seconds: Math.ceil(Math.max(60, answersWithinS + 5)) });

const firstHearingSeconds = 120;
const secondHearingSeconds = 600;
/** Least time between two answers, if the second could come at once. */
const betweenHearingsSeconds = 60;

/**
 * Judges the answer "no such charge": at first an acquirer may not find a charge that it has. After
 * two such answers, at least 2 and 10 minutes after the call, nothing was taken.
 */
export function hearing(
  {
    started_at: startedAt,
    unheard_at: unheardAt,
  }: {
    started_at: Temporal.Instant;
    unheard_at: Temporal.Instant | null;
  },
  now: Temporal.Instant,
): 'too early' | 'first' | 'last' {
  if (!isPast(startedAt.add({ seconds: firstHearingSeconds }), now)) return 'too early';
  if (unheardAt === null) return 'first';
  const isLate = isPast(startedAt.add({ seconds: secondHearingSeconds }), now);
  return isLate && Temporal.Instant.compare(unheardAt, now) < 0 ? 'last' : 'first';
}

/**
 * The next inquiry after an answer "no such charge": by the schedule, or as soon as a second such
 * answer counts. The payer waits for that, and may retry afterwards.
 */
export function hearAgainAt(startedAt: Temporal.Instant, now: Temporal.Instant): Temporal.Instant {
  const counts = startedAt.add({ seconds: secondHearingSeconds });
  const soonest = now.add({ seconds: betweenHearingsSeconds });
  const second = isPast(counts, soonest) ? soonest : counts;
  const next = nextAskAt(startedAt, now);
  return isPast(second, next) ? second : next;
}
