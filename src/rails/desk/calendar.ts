import { type Calendar, laterOf } from '../../calendar/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { isFuture } from '../files/days.ts';
import { lateFiles } from '../files/late.ts';
import type { RailFile } from '../files/store.ts';

/** Bank days to look back. */
const maxDays = 10;
/** Senders that have been silent longer are no longer expected. */
const rememberedDays = 90;

/** Arrivals on a bank day, by rail. Rails without files are not listed. */
export interface ArrivalDay {
  day: Temporal.PlainDate;
  /** True for bank days up to today, on which files are expected. */
  awaited: boolean;
  files: ReadonlyMap<string, number>;
}

export interface Arrivals {
  /** Senders of the last months. */
  rails: string[];
  /** Newest first. */
  days: ArrivalDay[];
  /** Overdue senders, with the day of their last file. */
  late: { rail: string; last: Temporal.PlainDate }[];
}

const arrivedSince = (
  sql: Queryable,
  day: Temporal.PlainDate,
): Promise<Pick<RailFile, 'id' | 'rail' | 'file_date'>[]> =>
  sql<Pick<RailFile, 'id' | 'rail' | 'file_date'>[]>`
    select id, rail, file_date from rail_files
    where direction = 'in' and file_date >= ${day}::date order by id`;

/** Returns the arrivals of the last bank days and the overdue senders. */
export async function readArrivals(
  sql: Queryable,
  calendar: Calendar,
  today: Temporal.PlainDate,
): Promise<Arrivals> {
  const since = today.subtract({ days: rememberedDays });
  const files = await arrivedSince(sql, since);
  const rails = [...new Set(files.map(({ rail }) => rail))].toSorted();
  const days: ArrivalDay[] = [];
  // Some files are dated on a later day of accreditation, and networks also collect on holidays.
  const latest = files.reduce((last, { file_date }) => laterOf(last, file_date), today);
  for (let day = latest; days.length < maxDays; day = day.subtract({ days: 1 })) {
    const own = files.filter(({ file_date }) => file_date.equals(day));
    const awaited = !isFuture(day, today) && calendar.isBusinessDay(day);
    if (!awaited && own.length === 0) continue;
    days.push({ day, awaited, files: new Map(own.map(({ rail, id }) => [rail, id])) });
  }
  const late = (await lateFiles(sql, today))
    .filter(({ rail }) => rails.includes(rail))
    .map(({ rail, file_date }) => ({ rail, last: file_date }));
  return { rails, days, late };
}
