import type { Calendar } from '../calendar/index.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

/** How far ahead debits must be asked for, in business days; from the configuration. */
export interface DebitTerms {
  /** The first due date of a bank debit is so many business days from today at the earliest. */
  bankLead: number;
  /** Debits are handed over so many business days before their run: 48 business hours are 2. */
  handover: number;
  /** The day of the month on which cards are debited, where the account has none of its own. */
  cardDay: number;
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

/** The day of a period on which cards are debited: in a short month its last one. */
export function cardDue({ month, year }: Period, cardDay: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year, month, day: 1 });
  return first.with({ day: Math.min(cardDay, first.daysInMonth) });
}

/** Whether a period's cut-off has not passed yet. */
export const isOpen = (
  calendar: Calendar,
  period: Period,
  today: Temporal.PlainDate,
  terms: DebitTerms,
): boolean => {
  const { submit_on } = timingOf(calendar, cardDue(period, terms.cardDay), terms);
  return Temporal.PlainDate.compare(today, submit_on) < 0;
};

/** The first period that is open today. */
export function firstOpenPeriod(
  calendar: Calendar,
  today: Temporal.PlainDate,
  terms: DebitTerms,
): Period {
  let month = today.toPlainYearMonth();
  while (!isOpen(calendar, month, today, terms)) month = month.add({ months: 1 });
  return { month: month.month, year: month.year };
}

/** The terms of an account: its own debit day, or that of the configuration. */
export type TermsOf = (accountId: string) => Promise<DebitTerms>;

export const termsOfAccounts =
  (sql: Queryable, terms: DebitTerms): TermsOf =>
  async (accountId) => {
    const [row] = await sql<{ day: number | null }[]>`
      select (settings->>'card_debit_day')::int as day from accounts where id = ${accountId}`;
    return { ...terms, cardDay: row?.day ?? terms.cardDay };
  };
