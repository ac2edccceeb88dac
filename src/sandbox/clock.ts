import { noteOperator } from '../events/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import type { Acting } from '../platform/base.ts';
import type { SweepCount, Sweeper } from '../platform/sweeps.ts';
import { refusal } from './codes.ts';

/** The body of POST /sandbox/clock. Exactly one member sets the distance. */
export interface ClockMove {
  advance_to: Temporal.Instant | null;
  days: number | null;
  hours: number | null;
  minutes: number | null;
}

export interface ClockMoved {
  now: string;
  happened: { what: string; count: number }[];
}

const farthest = { hours: 24 * 366 * 5 };

const targetOf = (move: ClockMove, now: Temporal.Instant): Temporal.Instant => {
  const sent = Object.values(move).filter((value) => value !== null);
  if (sent.length !== 1) throw refusal('sandbox.clock_members', {});
  if (move.advance_to) return move.advance_to;
  return now.add({ hours: (move.days ?? 0) * 24 + (move.hours ?? 0), minutes: move.minutes ?? 0 });
};

/**
 * Returns the counts as an object, because an error's details must start with its list of
 * sentences.
 */
const countsOf = (happened: SweepCount[]): Record<string, number> =>
  Object.fromEntries(happened.map(({ what, count }) => [what, count]));

/**
 * Moves the business clock forward, never back, and runs all work that falls due on the way, in
 * order. Throws 409 if a step fails: the clock stops there, and the error lists what was done.
 */
export async function moveClock(
  acting: Acting,
  sweeper: Sweeper,
  move: ClockMove,
): Promise<ClockMoved> {
  const { clocks, sql, recordIds } = acting;
  const now = clocks.business.now();
  const target = targetOf(move, now);
  if (Temporal.Instant.compare(target, now) < 0) {
    throw refusal('sandbox.clock_back', { now });
  }
  if (Temporal.Instant.compare(target, now.add(farthest)) > 0) {
    throw refusal('sandbox.clock_too_far', {});
  }
  const { from, happened, blockedBy } = await sweeper.advanceTo(target);
  const end = clocks.business.now();
  const reached = isoDateTime(end);
  // A concurrent move may have gone as far.
  if (Temporal.Instant.compare(from, target) < 0) {
    await noteOperator(sql, acting, {
      eventId: await recordIds.next(),
      entity: 'clock',
      entityId: 'business',
      type: 'clock.moved',
      data: { from: isoDateTime(from), to: reached },
    });
  }
  if (blockedBy === null) return { now: reached, happened };
  const details = { now: reached, happened: countsOf(happened) };
  throw refusal('sandbox.clock_waits', { now: end, job: blockedBy }, { details });
}
