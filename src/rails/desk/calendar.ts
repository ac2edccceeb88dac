import { type Calendar, laterOf } from '../../calendar/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { isFuture } from '../files/days.ts';
import { lateFiles } from '../files/late.ts';
import type { RailFile } from '../files/store.ts';

const maxDays = 10;
/** Days of silence after which a sender is no longer expected. */
const rememberedDays = 90;

/**
 * A day, with the id of the last file that each rail dated on it. Rails without files are absent.
 */
export interface ArrivalDay {
  day: Temporal.PlainDate;
  /** True for a bank day up to today, on which files are expected. */
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

/**
 * Returns the overdue senders, and the latest days that have files or on which files are expected.
 */
export async function readArrivals(
  sql: Queryable,
  calendar: Calendar,
  today: Temporal.PlainDate,
): Promise<Arrivals> {
  const since = today.subtract({ days: rememberedDays });
  const files = await arrivedSince(sql, since);
  const rails = [...new Set(files.map(({ rail }) => rail))].toSorted();
  const days: ArrivalDay[] = [];
  // Some files are dated on the day of accreditation, which may be in the future, and networks also
  // collect on holidays.
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
