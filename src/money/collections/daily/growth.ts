import { type Centavos, plus, zero } from '../../../kernel/money.ts';
import { type CollectedTotals, type DailyTotal, sumOfTotals } from './totals.ts';

/** The month's collections up to a day. */
export interface Growth {
  day: Temporal.PlainDate;
  collected: Centavos;
}

/** An account's totals by day as text, for look-ups of one day after another. */
export type TotalsByDay = ReadonlyMap<string, readonly DailyTotal[]>;

export const totalsByDay = (totals: readonly DailyTotal[]): TotalsByDay =>
  Map.groupBy(totals, ({ day }) => day.toString());

export const totalsOn = (totals: TotalsByDay, day: Temporal.PlainDate): readonly DailyTotal[] =>
  totals.get(day.toString()) ?? [];

const daysUntil = (month: Temporal.PlainYearMonth, dayOfMonth: number): Temporal.PlainDate[] =>
  Array.from({ length: Math.min(dayOfMonth, month.daysInMonth) }, (_, index) =>
    month.toPlainDate({ day: index + 1 }),
  );

/** A month's totals up to and including a day. */
export const totalsUntil = (
  totals: TotalsByDay,
  month: Temporal.PlainYearMonth,
  dayOfMonth = month.daysInMonth,
): CollectedTotals =>
  sumOfTotals(daysUntil(month, dayOfMonth).flatMap((day) => totalsOn(totals, day)));

/** Returns the growth of a month's collections, day by day, up to one of them. */
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
