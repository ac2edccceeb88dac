import { compareDays } from '../../kernel/dates.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { takesLookUps } from '../../platform/postgres/distributed/engine.ts';
import type { ReportName } from '../names.ts';
import { type Cells, columnsOf, literal, type Place, sourceOf } from '../store.ts';

export interface ReportRow {
  day: Temporal.PlainDate;
  place: Place;
  cells: Cells;
}

/** The last row of a page, after which the next page starts. */
export interface RowPlace extends Place {
  day: Temporal.PlainDate;
}

interface Found extends Record<string, unknown> {
  day_: Temporal.PlainDate;
  id_: number;
  no_: number;
}

/**
 * Returns enough days to fill a page. Each has at least one row, except with retentions, for which
 * it returns all remaining days.
 */
function ahead(
  name: ReportName,
  days: readonly Temporal.PlainDate[],
  { behind, limit }: { behind: RowPlace | null; limit: number },
): readonly Temporal.PlainDate[] {
  const left = days.filter((day) => behind === null || compareDays(day, behind.day) >= 0);
  return name === 'retentions' ? left : left.slice(0, limit + 1);
}

interface Days {
  accountId: string;
  days: readonly Temporal.PlainDate[];
}

interface Part {
  after: RowPlace;
  limit: number;
}

/** Builds the query for a day's rows after a place. Day and place are SQL expressions. */
function rowsOfDay(
  name: ReportName,
  accountId: string,
  { day, id, no, limit }: { day: string; id: string | number; no: string | number; limit: number },
): string {
  const { columns, from, key, where } = sourceOf(name);
  return `
      select ${columns.map(({ member, sql }) => `(${sql})::text as ${member}`).join(', ')},
        ${key.id} as id_, ${key.no} as no_
      from ${from}
      where ${key.account} = ${literal(accountId)} and ${key.day} = ${day} and ${where}
        and (${key.id}, ${key.no}) > (${id}, ${no})
      order by id_, no_ limit ${limit}`;
}

const daysAtOnce = (
  sql: Queryable,
  name: ReportName,
  { accountId, days }: Days,
  { after, limit }: Part,
): Promise<Found[]> => {
  const behind = (place: number): string =>
    `case days.day when ${literal(after.day.toString())} then ${place} else 0 end`;
  const place = { day: 'days.day', id: behind(after.id), no: behind(after.no), limit };
  return sql.unsafe<Found[]>(`
    select days.day as day_, rows.*
    from unnest(array[${days.map((day) => literal(day.toString())).join(', ')}]::date[])
      as days (day),
    lateral (${rowsOfDay(name, accountId, place)}
    ) as rows
    order by days.day, id_, no_ limit ${limit}`);
};

/**
 * Reads day by day until the page is full. Used on distributed databases, which cannot join
 * laterally.
 */
async function dayAfterDay(
  sql: Queryable,
  name: ReportName,
  { accountId, days }: Days,
  { after, limit }: Part,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const day of days.toSorted(compareDays)) {
    const left = limit - found.length;
    if (left <= 0) break;
    const { id, no } = compareDays(day, after.day) === 0 ? after : { id: 0, no: 0 };
    const place = { day: literal(day.toString()), id, no, limit: left };
    const rows = await sql.unsafe<Found[]>(rowsOfDay(name, accountId, place));
    found.push(...rows.map((row) => ({ ...row, day_: day })));
  }
  return found;
}

/**
 * Returns the next rows of a multi-day report, in report order. Reads each day by its own index
 * range, and no more than a page.
 */
export async function readReportRows(
  sql: Queryable,
  name: ReportName,
  { accountId, days }: { accountId: string; days: readonly Temporal.PlainDate[] },
  { behind, limit }: { behind: RowPlace | null; limit: number },
): Promise<ReportRow[]> {
  const looked = ahead(name, days, { behind, limit });
  if (looked.length === 0) return [];
  const after = behind ?? { day: looked[0] as Temporal.PlainDate, id: 0, no: 0 };
  const read = takesLookUps(sql) ? daysAtOnce : dayAfterDay;
  const rows = await read(sql, name, { accountId, days: looked }, { after, limit });
  const members = columnsOf(name).map(({ member }) => member);
  return rows.map((row) => ({
    day: row.day_,
    place: { id: row.id_, no: row.no_ },
    cells: members.map((member) => (row[member] as string | null) ?? null),
  }));
}

/** Rows per read of a file. */
const rowsOfPiece = 2_500;

/** Yields all rows of a multi-day report in batches. */
export async function* reportPieces(
  read: (piece: (sql: Queryable) => Promise<ReportRow[]>) => Promise<ReportRow[]>,
  name: ReportName,
  { accountId, days }: { accountId: string; days: readonly Temporal.PlainDate[] },
): AsyncGenerator<readonly Cells[]> {
  for (const day of days) {
    let behind: RowPlace | null = null;
    let rows: ReportRow[];
    do {
      const page: { behind: RowPlace | null; limit: number } = { behind, limit: rowsOfPiece };
      rows = await read((sql) => readReportRows(sql, name, { accountId, days: [day] }, page));
      yield rows.map(({ cells }) => cells);
      const last = rows.at(-1);
      behind = last ? { day, ...last.place } : null;
    } while (rows.length === rowsOfPiece);
  }
}
