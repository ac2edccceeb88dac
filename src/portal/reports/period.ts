import { compareDays, parseDayOrIso } from '../../kernel/dates.ts';
import type { CloseBooks, Period } from '../../money/ledger/index.ts';
import type { FieldFault } from '../../platform/pages/components/form.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { reportTexts } from './texts.ts';

/** The longest period: a leap year. */
const mostDays = 366;

export interface PeriodQuery {
  /** The period shown. This month if the requested period is invalid. */
  period: Period;
  faults: readonly FieldFault[];
  /** The submitted days, for the form. */
  submitted: { from: string; to: string };
}

const monthOf = (day: Temporal.PlainDate): Period => ({ from: day.with({ day: 1 }), to: day });

export function usualPeriods(today: Temporal.PlainDate) {
  const yesterday = today.subtract({ days: 1 });
  const lastOfMonthBefore = today.with({ day: 1 }).subtract({ days: 1 });
  return {
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    thisMonth: monthOf(today),
    lastMonth: monthOf(lastOfMonthBefore),
  };
}

export const isSame = (a: Period, b: Period): boolean => a.from.equals(b.from) && a.to.equals(b.to);

export const periodQuery = ({ from, to }: Period): string => `from=${from}&to=${to}`;

/** Parses the days in an address. Default: this month up to today. Each fault names its field. */
export function periodIn(
  query: URLSearchParams,
  today: Temporal.PlainDate,
  lang: Lang,
): PeriodQuery {
  const { from: fromLabel, to: toLabel, faults: words } = reportTexts[lang];
  const submitted = { from: query.get('from')?.trim() ?? '', to: query.get('to')?.trim() ?? '' };
  const usual = monthOf(today);
  if (submitted.from === '' && submitted.to === '') {
    return { period: usual, faults: [], submitted: { from: `${usual.from}`, to: `${usual.to}` } };
  }
  const [from, to] = [parseDayOrIso(submitted.from), parseDayOrIso(submitted.to)];
  const faults: FieldFault[] = [];
  const fault = (field: 'from' | 'to', text: string): void =>
    void faults.push({ field, label: field === 'from' ? fromLabel : toLabel, text });
  if (from === null) fault('from', words.noDay);
  if (to === null) fault('to', words.noDay);
  if (from && to) {
    if (compareDays(to, today) > 0) fault('to', words.future);
    if (compareDays(from, to) > 0) fault('from', words.order);
    else if (from.until(to).days >= mostDays) fault('from', words.long({ days: mostDays }));
  }
  const period = from && to && faults.length === 0 ? { from, to } : usual;
  return { period, faults, submitted };
}

/**
 * Closes the books of past days up to `to`, so that the page's figures never change, as in the API.
 * Returns `to` if it is past, else null.
 */
export async function closePast(
  closeBooks: CloseBooks,
  today: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<Temporal.PlainDate | null> {
  const isPast = compareDays(to, today) < 0;
  await closeBooks(isPast ? to : today.subtract({ days: 1 }));
  return isPast ? to : null;
}

/** Returns the month in an address, at most the current one. Default: the previous month. */
export function monthIn(
  query: URLSearchParams,
  today: Temporal.PlainDate,
): Temporal.PlainYearMonth {
  const latest = today.toPlainYearMonth();
  const text = query.get('month') ?? '';
  const before = latest.subtract({ months: 1 });
  const month = parseDayOrIso(`${text}-01`)?.toPlainYearMonth();
  if (month === undefined) return before;
  return Temporal.PlainYearMonth.compare(month, latest) > 0 ? latest : month;
}

/** Returns a month's days up to today. */
export function daysOfMonth(month: Temporal.PlainYearMonth, today: Temporal.PlainDate): Period {
  const last = month.toPlainDate({ day: month.daysInMonth });
  return {
    from: month.toPlainDate({ day: 1 }),
    to: compareDays(last, today) > 0 ? today : last,
  };
}
