import { compareDays } from '../kernel/dates.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { type Calendar, createCalendar } from './business-days.ts';
import { listCalendarDays } from './store.ts';

export interface CalendarChange {
  /** The day that becomes, or ceases to be, a business day. */
  day: Temporal.PlainDate;
  calendar: Calendar;
  today: Temporal.PlainDate;
}

export interface Shift {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
}

/** Returns the calendar after a change to a day's kind. Null restores the published one. */
export async function calendarWith(
  sql: Queryable,
  day: Temporal.PlainDate,
  kind: string | null,
): Promise<Calendar> {
  const others = (await listCalendarDays(sql)).filter((added) => !added.day.equals(day));
  return createCalendar(kind === null ? others : [...others, { day, kind }]);
}

/**
 * Items more than this many days away from a changed day do not move, because lead times and long
 * weekends are shorter.
 */
export const reachDays = 60;

export const laterOf = (a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate =>
  compareDays(a, b) < 0 ? b : a;

/** Returns true if the changed day is between the given days, in any order, inclusive. */
export function liesWithin(day: Temporal.PlainDate, days: readonly Temporal.PlainDate[]): boolean {
  const sides = days.map((one) => compareDays(one, day));
  return Math.min(...sides) <= 0 && Math.max(...sides) >= 0;
}
