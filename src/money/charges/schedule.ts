/** Seconds after the call at which to inquire about an open attempt, by the business clock. */
const steps = [60, 120, 300, 600, 900, 3600, 6 * 3600, 24 * 3600, 48 * 3600, 72 * 3600];

/** After this time no answer is likely, so an inquiry without one alerts the operator. */
export const undecidedAfterSeconds = 72 * 3600;

const daySeconds = 24 * 3600;

const isPast = (moment: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(moment, now) <= 0;

/** Returns the next inquiry's time. After the last step, inquiries are a day apart. */
export function nextAskAt(startedAt: Temporal.Instant, now: Temporal.Instant): Temporal.Instant {
  const next = steps
    .map((seconds) => startedAt.add({ seconds }))
    .find((moment) => Temporal.Instant.compare(moment, now) > 0);
  return next ?? now.add({ seconds: daySeconds });
}

/**
 * Returns when to inquire about a charge that awaits its payer: by the schedule, but not after the
 * deadline of the payer's step, unless that has passed.
 */
export function askPayerAt(
  startedAt: Temporal.Instant,
  until: Temporal.Instant,
  now: Temporal.Instant,
): Temporal.Instant {
  const next = nextAskAt(startedAt, now);
  const isSooner = isPast(until, next) && !isPast(until, now);
  return isSooner ? until : next;
}

/** Returns when to inquire first: after the call has surely ended. */
export const firstAskAt = (startedAt: Temporal.Instant, answersWithinS: number): Temporal.Instant =>
  startedAt.add({ seconds: Math.ceil(Math.max(60, answersWithinS + 5)) });

const firstHearingSeconds = 120;
const secondHearingSeconds = 600;
/** Minimum time between two "no such charge" answers that both count. */
const betweenHearingsSeconds = 60;

/**
 * Judges the answer "no such charge". An acquirer may not find a recent charge at first. Two such
 * answers, the first at least 2 and the second at least 10 minutes after the call, mean that
 * nothing was charged. They count if they are a minute apart.
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
  const isApart = isPast(unheardAt.add({ seconds: betweenHearingsSeconds }), now);
  return isLate && isApart ? 'last' : 'first';
}

/**
 * Returns when to inquire after "no such charge": by the schedule, or sooner if a second such
 * answer then counts. The payer cannot retry before that.
 */
export function hearAgainAt(startedAt: Temporal.Instant, now: Temporal.Instant): Temporal.Instant {
  const counts = startedAt.add({ seconds: secondHearingSeconds });
  const soonest = now.add({ seconds: betweenHearingsSeconds });
  const second = isPast(counts, soonest) ? soonest : counts;
  const next = nextAskAt(startedAt, now);
  return isPast(second, next) ? second : next;
}
