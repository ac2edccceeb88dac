import type { Queryable } from './connect.ts';

type Fragment = ReturnType<Queryable>;

/**
 * Times and days of Argentina in statements, as `dayOf` gives them outside. By an interval: a zone
 * that is named '-03' lies three hours east of Greenwich, as POSIX counts.
 */
export const localTime = (moment: string): string => `${moment} at time zone interval '-03:00'`;

export const localDay = (sql: Queryable, moment: Fragment): Fragment =>
  sql`(${moment} at time zone interval '-03:00')::date`;
