import type { Queryable } from './connect.ts';

type Fragment = ReturnType<Queryable>;

/**
 * Converts to Argentine time and day in SQL, equal to `dayOf`. Uses an interval, because POSIX
 * reads a zone named '-03' as three hours east of Greenwich.
 */
export const localTime = (moment: string): string => `${moment} at time zone interval '-03:00'`;

export const localDay = (sql: Queryable, moment: Fragment): Fragment =>
  sql`(${moment} at time zone interval '-03:00')::date`;
