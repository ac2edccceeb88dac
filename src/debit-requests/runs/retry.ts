import type { Calendar } from '../../calendar/index.ts';
import { compareDays, formatDay } from '../../kernel/dates.ts';
import type { Base } from '../../platform/base.ts';
import type { DebitRow, DebitRun } from '../debit.ts';
import { type DebitTerms, type Timing, timingOf } from '../timing.ts';
import type { RunOutcome } from './fact.ts';
import { rejectCodeOf } from './reject-codes.ts';
import { type SubmittedRun, startSecondRun } from './runs.ts';

interface Parts {
  base: Base;
  loadCalendar(): Promise<Calendar>;
  terms: DebitTerms;
}

/**
 * Returns true if a debit whose run met insufficient funds runs again: after its first run, if it
 * has a second due date.
 */
export function runsAgain({
  request,
  run,
}: {
  request: Pick<DebitRow, 'due2' | 'total2'>;
  run: Pick<DebitRun, 'no'>;
}): boolean {
  return run.no === 1 && request.due2 !== null && request.total2 !== null;
}

/**
 * Returns the second run's days: those of the second due date, or the first that are still
 * possible.
 */
function secondTiming(
  calendar: Calendar,
  due2: Temporal.PlainDate,
  today: Temporal.PlainDate,
  terms: DebitTerms,
): Timing {
  const soonest = calendar.nextBusinessDay(today, terms.handover);
  const due = compareDays(due2, soonest) < 0 ? soonest : due2;
  return timingOf(calendar, due, terms);
}

/** Ends a refused first run and starts the second. Returns false if another call did. */
export const retryRun =
  ({ base: { sql, clocks }, loadCalendar, terms }: Parts) =>
  async ({ request, run }: SubmittedRun, { outcome }: RunOutcome): Promise<boolean> => {
    const { due2, total2 } = request;
    if (due2 === null || total2 === null || outcome.type !== 'rejected') return false;
    const timing = secondTiming(await loadCalendar(), due2, clocks.business.today(), terms);
    const second: DebitRun = { ...run, ...timing, no: 2, amount: total2, state: 'waiting' };
    const { code, text } = outcome;
    const again = `It runs again on ${formatDay(timing.run_on)}.`;
    const comment = `${code}: ${rejectCodeOf(code, text).text} ${again}`;
    return await startSecondRun(sql, run, second, { code, comment });
  };
