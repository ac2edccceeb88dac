import type { Queryable } from '../platform/postgres/connect.ts';
import { type Calendar, type CalendarDay, createCalendar } from './business-days.ts';

/** The days that operators added, in order. */
export async function listCalendarDays(sql: Queryable): Promise<CalendarDay[]> {
  return await sql<CalendarDay[]>`select day, kind from calendar_days order by day`;
}

/** Adds a day, or changes the kind of one that is there. */
export async function addCalendarDay(
  sql: Queryable,
  day: Temporal.PlainDate,
  kind: string,
): Promise<void> {
  await sql`
    insert into calendar_days (day, kind) values (${day}::date, ${kind})
    on conflict (day) do update set kind = excluded.kind`;
}

/** Takes an added day away; false when there was none. */
export async function removeCalendarDay(sql: Queryable, day: Temporal.PlainDate): Promise<boolean> {
  const { count } = await sql`delete from calendar_days where day = ${day}::date`;
  return count > 0;
}

/** The bank calendar as the operators left it. */
export async function loadCalendar(sql: Queryable): Promise<Calendar> {
  return createCalendar(await listCalendarDays(sql));
}
