import { appendEvents, eventsOfEntity } from '../events/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { type Calendar, type CalendarDay, createCalendar } from './business-days.ts';
import { revisedDays } from './days.ts';

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

const entity = 'calendar_day';

/** Days that operators ever added, changed or took away. */
async function changedDays(sql: Queryable, books: string): Promise<Temporal.PlainDate[]> {
  const rows = await sql<{ day: Temporal.PlainDate }[]>`
    select day from calendar_days
    union
    select (data->>'day')::date from ${eventsOfEntity(sql, books, entity)}
    where data->>'day' is not null`;
  return rows.map(({ day }) => day);
}

/** What a calendar may have said at some time: as many business days as possible, and as few. */
export interface CalendarBounds {
  soonest: Calendar;
  latest: Calendar;
}

/**
 * The calendar in hindsight: a day that was ever changed, by an operator or by a release, counts
 * either way, since what was promised before a change stays as it was unless it was moved.
 */
export async function calendarBounds(sql: Queryable, books: string): Promise<CalendarBounds> {
  const changed = [...(await changedDays(sql, books)), ...revisedDays];
  const all = (kind: string) => createCalendar(changed.map((day) => ({ day, kind })));
  return { soonest: all('open'), latest: all('bank') };
}

/** A change of the bank calendar by an operator: a kind, or null where the day is forgotten. */
export interface DayChange {
  /** The operator's own books, which have the event. */
  books: string;
  day: Temporal.PlainDate;
  kind: string | null;
  actor: Actor;
}

/** Adds, changes or forgets a day, with an event in the operator's books. */
export async function changeDay(
  { sql, clocks, recordIds }: Pick<Base, 'sql' | 'clocks' | 'recordIds'>,
  { books, day, kind, actor }: DayChange,
): Promise<void> {
  const id = await recordIds.next();
  await sql.begin(async (tx) => {
    if (kind === null) await removeCalendarDay(tx, day);
    else await addCalendarDay(tx, day, kind);
    await appendEvents(tx, [
      {
        accountId: books,
        entity,
        entityId: String(id),
        version: 1,
        id,
        type: kind === null ? 'calendar_day.forgotten' : 'calendar_day.set',
        at: clocks.business.now(),
        actor,
        data: { day: day.toString(), ...(kind !== null && { kind }) },
      },
    ]);
  });
}
