import { readSettings } from '../accounts/index.ts';
import type { Calendar } from '../calendar/index.ts';
import { compareDays } from '../kernel/dates.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

/** Lead times of debits, in business days, from the configuration. */
export interface DebitTerms {
  /** Earliest first due date of a bank debit, in business days from today. */
  bankLead: number;
  /** Business days from submission to run. 48 business hours are 2. */
  handover: number;
  /**
   * Last day of a month on which its card debits can be requested, unless the account has its own.
   */
  cardCutDay: number;
}

export interface Timing {
  run_on: Temporal.PlainDate;
  submit_on: Temporal.PlainDate;
}

/**
 * Returns the days to run and to submit a bank debit. A debit that is not due on a business day
 * runs on the next one.
 */
export function timingOf(
  calendar: Calendar,
  due: Temporal.PlainDate,
  { handover }: DebitTerms,
): Timing {
  const run_on = calendar.nextBusinessDay(due, 0);
  return { run_on, submit_on: calendar.businessDayBefore(run_on, handover) };
}

/** Returns the earliest first due date of a bank debit made today. */
export const earliestBankDue = (
  calendar: Calendar,
  today: Temporal.PlainDate,
  { bankLead }: DebitTerms,
): Temporal.PlainDate => calendar.nextBusinessDay(today, bankLead);

export interface Period {
  month: number;
  year: number;
}

/** Returns the last day to request a period's debits, at most the month's last day. */
function cutOf({ month, year }: Period, cutDay: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year, month, day: 1 });
  return first.with({ day: Math.min(cutDay, first.daysInMonth) });
}

/**
 * Returns the days to submit and to run a card debit. A period is submitted on the first business
 * day after its cut-off, and runs as many business days later as a bank debit.
 */
export function cardTiming(calendar: Calendar, period: Period, terms: DebitTerms): Timing {
  const submit_on = calendar.nextBusinessDay(cutOf(period, terms.cardCutDay), 1);
  return { submit_on, run_on: calendar.nextBusinessDay(submit_on, terms.handover) };
}

export const isOpen = (
  period: Period,
  today: Temporal.PlainDate,
  { cardCutDay }: DebitTerms,
): boolean => compareDays(today, cutOf(period, cardCutDay)) <= 0;

/** Returns the first period open today. */
export function firstOpenPeriod(today: Temporal.PlainDate, terms: DebitTerms): Period {
  const { month, year } = isOpen(today, today, terms) ? today : today.add({ months: 1 });
  return { month, year };
}

/** Returns an account's terms: its own cut day, or the configured one. */
export type TermsOf = (accountId: string) => Promise<DebitTerms>;

export const termsOfAccounts =
  (sql: Queryable, terms: DebitTerms): TermsOf =>
  async (accountId) => {
    const settings = await readSettings(sql, accountId);
    return { ...terms, cardCutDay: settings?.card_cut_day ?? terms.cardCutDay };
  };
