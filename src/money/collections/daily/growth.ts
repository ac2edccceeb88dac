import { type Centavos, plus, zero } from '../../../kernel/money.ts';
import { type CollectedTotals, type DailyTotal, sumOfTotals } from './totals.ts';

/** What was collected in a month until a day of it. */
export interface Growth {
  day: Temporal.PlainDate;
  collected: Centavos;
}

const lastDayOf = (month: Temporal.PlainYearMonth): Temporal.PlainDate =>
  month.toPlainDate({ day: month.daysInMonth });

/** A month's totals up to a day of it, that day included. */
export function totalsUntil(
  totals: readonly DailyTotal[],
  month: Temporal.PlainYearMonth,
  dayOfMonth = month.daysInMonth,
): CollectedTotals {
  const from = month.toPlainDate({ day: 1 });
  const to = month.toPlainDate({ day: Math.min(dayOfMonth, month.daysInMonth) });
  return sumOfTotals(totalsBetween(totals, from, to));
}

/** Those of some days, both inclusive. */
export const totalsBetween = (
  totals: readonly DailyTotal[],
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): DailyTotal[] =>
  totals.filter(
    ({ day }) =>
      Temporal.PlainDate.compare(day, from) >= 0 && Temporal.PlainDate.compare(day, to) <= 0,
  );

/** How what was collected in a month grew, day by day, until one. */
export function growthOf(
  totals: readonly DailyTotal[],
  month: Temporal.PlainYearMonth,
  until: Temporal.PlainDate = lastDayOf(month),
): Growth[] {
  const growth: Growth[] = [];
  let collected = zero;
  const last = lastDayOf(month);
  const end = Temporal.PlainDate.compare(until, last) < 0 ? until : last;
  for (
    let day = month.toPlainDate({ day: 1 });
    Temporal.PlainDate.compare(day, end) <= 0;
    day = day.add({ days: 1 })
  ) {
    collected = plus(collected, sumOfTotals(totalsBetween(totals, day, day)).collected.gross);
    growth.push({ day, collected });
  }
  return growth;
}
