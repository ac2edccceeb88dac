import { noteOperator, operatorEventsOf } from '../events/index.ts';
import type { Acting } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { type Calendar, type CalendarDay, createCalendar } from './business-days.ts';
import { revisedDays } from './days.ts';

export async function listCalendarDays(sql: Queryable): Promise<CalendarDay[]> {
  return await sql<CalendarDay[]>`select day, kind from calendar_days order by day`;
}

/** Adds an operator's day, or changes its kind. */
export async function addCalendarDay(
  sql: Queryable,
  day: Temporal.PlainDate,
  kind: string,
): Promise<void> {
  await sql`
    insert into calendar_days (day, kind) values (${day}::date, ${kind})
    on conflict (day) do update set kind = excluded.kind`;
}

/** Removes an operator's day. Returns false if there is none. */
export async function removeCalendarDay(sql: Queryable, day: Temporal.PlainDate): Promise<boolean> {
  const { count } = await sql`delete from calendar_days where day = ${day}::date`;
  return count > 0;
}

export async function loadCalendar(sql: Queryable): Promise<Calendar> {
  return createCalendar(await listCalendarDays(sql));
}

const entity = 'calendar_day';

/** Returns days that operators ever added, changed or removed. */
async function changedDays(sql: Queryable): Promise<Temporal.PlainDate[]> {
  const rows = await sql<{ day: Temporal.PlainDate }[]>`
    select day from calendar_days
    union
    select entity_id::date from ${operatorEventsOf(sql, entity)}`;
  return rows.map(({ day }) => day);
}

/** Bounds of all past calendars: `soonest` has every possible business day, `latest` the fewest. */
export interface CalendarBounds {
  soonest: Calendar;
  latest: Calendar;
}

/**
 * Returns the bounds of all past calendars. A day that an operator or a release ever changed is
 * open in one and closed in the other, because promises made before a change stay unless moved.
 */
export async function calendarBounds(sql: Queryable): Promise<CalendarBounds> {
  const changed = [...(await changedDays(sql)), ...revisedDays];
  const all = (kind: string) => createCalendar(changed.map((day) => ({ day, kind })));
  return { soonest: all('open'), latest: all('bank') };
}

/** An operator's change to the bank calendar: a kind, or null to remove the day. */
export interface DayChange {
  day: Temporal.PlainDate;
  kind: string | null;
}

/** Adds, changes or removes a day, with an event. */
export async function changeDay(acting: Acting, { day, kind }: DayChange): Promise<void> {
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    const [was] = await tx<{ kind: string }[]>`
      select kind from calendar_days where day = ${day}::date`;
    if (kind === null) await removeCalendarDay(tx, day);
    else await addCalendarDay(tx, day, kind);
    await noteOperator(tx, acting, {
      eventId,
      entity,
      entityId: day.toString(),
      type: kind === null ? 'calendar_day.forgotten' : 'calendar_day.set',
      data: { ...(kind !== null && { kind }), before: { kind: was?.kind ?? null } },
    });
  });
}

/** Returns up to 100 operators' days that differ from their last event, as sentences. */
export async function checkCalendarDays(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ day: string; kind: string | null; told: string | null }[]>`
    with last as (
      select distinct on (entity_id) entity_id::date as day, data->>'kind' as kind
      from ${operatorEventsOf(sql, entity)} order by entity_id, id desc
    )
    select day::text as day, d.kind, last.kind as told
    from calendar_days d full join last using (day)
    where d.kind is distinct from last.kind order by day limit 100`;
  return rows.map(
    ({ day, kind, told }) =>
      `calendar day ${day} is ${kind ?? 'not added'}, but its last event says ${told ?? 'nothing'}`,
  );
}
