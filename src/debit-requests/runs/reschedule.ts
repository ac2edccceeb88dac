import { type CalendarChange, laterOf, liesWithin, reachDays } from '../../calendar/index.ts';
import { compareDays, formatDay } from '../../kernel/dates.ts';
import { type Centavos, plus, zero } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { cardTiming, type DebitTerms, type TermsOf, type Timing, timingOf } from '../timing.ts';
import {
  moveRuns,
  type RunShift,
  readWaiting,
  type WaitingRun,
  waitingAccounts,
} from './waiting.ts';

/** Runs of a kind that a calendar change moves from the same days to the same other days. */
export interface RescheduledRuns {
  kind: WaitingRun['kind'];
  from: Timing;
  to: Timing;
  count: number;
  amount: Centavos;
}

export type Reschedule = (
  change: CalendarChange,
  options: { apply: boolean; actor: Actor },
) => Promise<RescheduledRuns[]>;

/**
 * Returns a run's dates by this calendar, or null if it has no due date. A run whose submission day
 * has passed gets the first days that are still possible.
 */
function timingNow(
  run: WaitingRun,
  { calendar, today }: CalendarChange,
  terms: DebitTerms,
): Timing | null {
  const soonest = (): Timing =>
    timingOf(calendar, calendar.nextBusinessDay(today, terms.handover), terms);
  const onTime = (timing: Timing): Timing =>
    compareDays(timing.submit_on, today) < 0 ? soonest() : timing;
  if (run.kind === 'card_debit_request') {
    const { month, year, cut_day: cardCutDay } = run;
    const own = cardCutDay === null ? terms : { ...terms, cardCutDay };
    return month === null || year === null
      ? null
      : onTime(cardTiming(calendar, { month, year }, own));
  }
  const due = run.no === 1 ? run.due1 : run.due2;
  return due && onTime(timingOf(calendar, due, terms));
}

const again = (day: Temporal.PlainDate): string => `It runs again on ${formatDay(day)}.`;

/** Returns a run's new days, or null if the changed day does not affect it. */
function shiftOf(run: WaitingRun, change: CalendarChange, terms: DebitTerms): RunShift | null {
  const to = timingNow(run, change, terms);
  const same = (one: Temporal.PlainDate, other?: Temporal.PlainDate) => other && one.equals(other);
  if (to === null || (same(run.submit_on, to.submit_on) && same(run.run_on, to.run_on)))
    return null;
  const { submit_on, run_on } = run;
  if (!liesWithin(change.day, [submit_on, run_on, to.submit_on, to.run_on])) return null;
  return {
    run,
    to,
    comment: run.state_comment?.replace(again(run_on), again(to.run_on)) ?? null,
  };
}

function tally(all: Map<string, RescheduledRuns>, { run, to }: RunShift): void {
  const from = { run_on: run.run_on, submit_on: run.submit_on };
  const key = [run.kind, from.run_on, from.submit_on, to.run_on, to.submit_on].join(' ');
  const group = all.get(key) ?? { kind: run.kind, from, to, count: 0, amount: zero };
  group.count += 1;
  group.amount = plus(group.amount, run.amount);
  all.set(key, group);
}

/**
 * Reschedules unsubmitted runs after a change of the calendar, account by account in batches, each
 * debit with an event. Moves only runs that the changed day affects. Idempotent. Without `apply`,
 * only returns the changes.
 */
export const rescheduleRuns =
  (base: Base, termsOf: TermsOf): Reschedule =>
  async (change, { apply, actor }) => {
    const span = {
      from: laterOf(change.today, change.day.subtract({ days: reachDays })),
      to: change.day.add({ days: reachDays }),
    };
    const groups = new Map<string, RescheduledRuns>();
    for (const accountId of await waitingAccounts(base.sql, span)) {
      const terms = await termsOf(accountId);
      for await (const runs of readWaiting(base.sql, accountId, span)) {
        const shifts = runs.flatMap((run) => shiftOf(run, change, terms) ?? []);
        const done = apply ? await moveRuns(base, { accountId, actor }, shifts) : shifts;
        for (const shift of done) tally(groups, shift);
      }
    }
    return [...groups.values()].sort((a, b) => compareDays(a.from.run_on, b.from.run_on));
  };
