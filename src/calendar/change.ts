import { compareDays } from '../kernel/dates.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { type Calendar, createCalendar } from './business-days.ts';
import { listCalendarDays } from './store.ts';

/** A change of the bank calendar, and what follows from it. */
export interface CalendarChange {
  /** The day that becomes a business day, or is one no more. */
  day: Temporal.PlainDate;
  /** The calendar as it is with the change. */
  calendar: Calendar;
  today: Temporal.PlainDate;
}

/** A pending item that moved from one day to another. */
export interface Shift {
  from: Temporal.PlainDate;
  to: Temporal.PlainDate;
}

/** The calendar as it will be when the day has that kind; null: when it is as published. */
export async function calendarWith(
  sql: Queryable,
  day: Temporal.PlainDate,
  kind: string | null,
): Promise<Calendar> {
  const others = (await listCalendarDays(sql)).filter((added) => !added.day.equals(day));
  return createCalendar(kind === null ? others : [...others, { day, kind }]);
}

/** The reach of a changed day: leads and long weekends are shorter. */
export const reachDays = 60;

export const laterOf = (a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate =>
  compareDays(a, b) < 0 ? b : a;

/** True if the changed day lies between the days, which are in any order, or is one of them. */
export function liesWithin(day: Temporal.PlainDate, days: readonly Temporal.PlainDate[]): boolean {
  const sides = days.map((one) => compareDays(one, day));
  return Math.min(...sides) <= 0 && Math.max(...sides) >= 0;
}
