import { readSettings } from '../accounts/index.ts';
import type { Calendar } from '../calendar/index.ts';
import { compareDays } from '../kernel/dates.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

/** Lead times of debits, in business days; from the configuration. */
export interface DebitTerms {
  /** The first due date of a bank debit is so many business days from today at the earliest. */
  bankLead: number;
  /** Debits are handed over so many business days before their run: 48 business hours are 2. */
  handover: number;
  /** Last day of a month for card debits of that month, unless the account has its own. */
  cardCutDay: number;
}

export interface Timing {
  run_on: Temporal.PlainDate;
  submit_on: Temporal.PlainDate;
}

/** A due date on a day without banks runs on the next business day. */
export function timingOf(
  calendar: Calendar,
  due: Temporal.PlainDate,
  { handover }: DebitTerms,
): Timing {
  const run_on = calendar.nextBusinessDay(due, 0);
  return { run_on, submit_on: calendar.businessDayBefore(run_on, handover) };
}

/** The first due date that a bank debit may have today. */
export const earliestBankDue = (
  calendar: Calendar,
  today: Temporal.PlainDate,
  { bankLead }: DebitTerms,
): Temporal.PlainDate => calendar.nextBusinessDay(today, bankLead);

/** The month of a card debit's run. */
export interface Period {
  month: number;
  year: number;
}

/** The last day to request debits of a period; in a short month its last day. */
function cutOf({ month, year }: Period, cutDay: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year, month, day: 1 });
  return first.with({ day: Math.min(cutDay, first.daysInMonth) });
}

/** A period is handed over on the business day after its cut, and runs as long after as banks'. */
export function cardTiming(calendar: Calendar, period: Period, terms: DebitTerms): Timing {
  const submit_on = calendar.nextBusinessDay(cutOf(period, terms.cardCutDay), 1);
  return { submit_on, run_on: calendar.nextBusinessDay(submit_on, terms.handover) };
}

/** True if a period's cut-off has not passed yet. */
export const isOpen = (
  period: Period,
  today: Temporal.PlainDate,
  { cardCutDay }: DebitTerms,
): boolean => compareDays(today, cutOf(period, cardCutDay)) <= 0;

/** The first period that is open today. */
export function firstOpenPeriod(today: Temporal.PlainDate, terms: DebitTerms): Period {
  const { month, year } = isOpen(today, today, terms) ? today : today.add({ months: 1 });
  return { month, year };
}

/** The terms of an account: its own cut day, or that of the configuration. */
export type TermsOf = (accountId: string) => Promise<DebitTerms>;

export const termsOfAccounts =
  (sql: Queryable, terms: DebitTerms): TermsOf =>
  async (accountId) => {
    const settings = await readSettings(sql, accountId);
    return { ...terms, cardCutDay: settings?.card_cut_day ?? terms.cardCutDay };
  };
