import { type Centavos, plus, zero } from '../../../kernel/money.ts';
import { type CollectedTotals, type DailyTotal, sumOfTotals } from './totals.ts';

/** The sum of a month's collections up to a day, inclusive. */
export interface Growth {
  day: Temporal.PlainDate;
  collected: Centavos;
}

/** An account's totals, by day as text. */
export type TotalsByDay = ReadonlyMap<string, readonly DailyTotal[]>;

export const totalsByDay = (totals: readonly DailyTotal[]): TotalsByDay =>
  Map.groupBy(totals, ({ day }) => day.toString());

export const totalsOn = (totals: TotalsByDay, day: Temporal.PlainDate): readonly DailyTotal[] =>
  totals.get(day.toString()) ?? [];

const daysUntil = (month: Temporal.PlainYearMonth, dayOfMonth: number): Temporal.PlainDate[] =>
  Array.from({ length: Math.min(dayOfMonth, month.daysInMonth) }, (_, index) =>
    month.toPlainDate({ day: index + 1 }),
  );

export const totalsUntil = (
  totals: TotalsByDay,
  month: Temporal.PlainYearMonth,
  dayOfMonth = month.daysInMonth,
): CollectedTotals =>
  sumOfTotals(daysUntil(month, dayOfMonth).flatMap((day) => totalsOn(totals, day)));

/** Returns the cumulative collections of a month, day by day. */
export function growthOf(
  totals: TotalsByDay,
  month: Temporal.PlainYearMonth,
  dayOfMonth = month.daysInMonth,
): Growth[] {
  let collected = zero;
  return daysUntil(month, dayOfMonth).map((day) => {
    collected = plus(collected, sumOfTotals(totalsOn(totals, day)).collected.gross);
    return { day, collected };
  });
}
