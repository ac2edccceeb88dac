import { compareDays, formatDay } from '../../kernel/dates.ts';

/** A reported event cannot lie in the future. */
export const isFuture = (day: Temporal.PlainDate, today: Temporal.PlainDate): boolean =>
  compareDays(day, today) > 0;

export const notFuture = (today: Temporal.PlainDate): string =>
  `a day up to today, ${formatDay(today)}`;

/** AAAAMMDD */
export const compact = (day: Temporal.PlainDate): string => day.toString().replaceAll('-', '');
