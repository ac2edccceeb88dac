import { noteOperator } from '../events/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import type { Acting } from '../platform/base.ts';
import { type AccountClaim, keepAnswer, recall } from '../platform/idempotency.ts';
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

/** Returns the target. Throws 400 if it is in the past or too far. */
function checkedTarget(move: ClockMove, now: Temporal.Instant): Temporal.Instant {
  const target = targetOf(move, now);
  if (Temporal.Instant.compare(target, now) < 0) {
    throw refusal('sandbox.clock_back', { now });
  }
  if (Temporal.Instant.compare(target, now.add(farthest)) > 0) {
    throw refusal('sandbox.clock_too_far', {});
  }
  return target;
}

/**
 * Returns the call's target, and stores it under its key, because a repetition would count from
 * where the clock is by then.
 */
async function claimedTarget(
  { sql, clocks }: Acting,
  move: ClockMove,
  claim: AccountClaim | null,
): Promise<Temporal.Instant> {
  const now = clocks.business.now();
  if (!claim) return checkedTarget(move, now);
  const key = { ...claim, path: `${claim.path} target` };
  const [known = null] = await recall(sql, [key]);
  const target =
    known ??
    (await keepAnswer(
      sql,
      key,
      { status: 200, body: checkedTarget(move, now).toString() },
      clocks.wall.now(),
    ));
  if (target instanceof Error) throw target;
  return Temporal.Instant.from(target.body);
}

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
  claim: AccountClaim | null = null,
): Promise<ClockMoved> {
  const { clocks, sql, recordIds } = acting;
  const target = await claimedTarget(acting, move, claim);
  const { from, happened, blockedBy } = await sweeper.advanceTo(target);
  const end = clocks.business.now();
  const reached = isoDateTime(end);
  // False if a concurrent move went as far.
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
