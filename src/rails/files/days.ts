import { compareDays, formatDay } from '../../kernel/dates.ts';

/** Returns true for a future day, which is a fault, because files report past events. */
export const isFuture = (day: Temporal.PlainDate, today: Temporal.PlainDate): boolean =>
  compareDays(day, today) > 0;

export const notFuture = (today: Temporal.PlainDate): string =>
  `a day up to today, ${formatDay(today)}`;

/** Formats a day as YYYYMMDD. */
export const compact = (day: Temporal.PlainDate): string => day.toString().replaceAll('-', '');
