import { mostCounted, type PageFrom } from '../list-page.ts';
import { ReplicaLagging } from '../replica/reads.ts';
import type { Queryable } from './connect.ts';
import { type PlacedList, settling } from './places.ts';

type Fragment = ReturnType<Queryable>;

/** Joins conditions by AND, skipping nulls. The first is never null. */
export const allOf = (
  sql: Queryable,
  first: Fragment,
  others: readonly (Fragment | null)[],
): Fragment =>
  others
    .filter((condition) => condition !== null)
    .reduce((all, condition) => sql`${all} and ${condition}`, first);

/** The source of a list: its columns and their table. */
export interface Listing {
  columns: Fragment;
  list: PlacedList;
  table: Fragment;
  /** The relation to filter, with columns of the same names. Default: the table. */
  sought?: Fragment;
  accountId: string;
  /** Selects the account and kind, whose rows an index orders by place. */
  owner: Fragment;
  /** Further conditions, each with an index. Nulls are skipped. */
  filters: readonly (Fragment | null)[];
  /** Sort column of the filters' index: `id`, or a range's column. */
  along: Fragment;
}

interface Showing extends Omit<Listing, 'filters'> {
  where: Fragment | null;
  limit: number;
  offset: number;
  /** Start of the page, in list order. */
  behind: Spot;
}

/** A row's position. Rows of one statement share a place. */
interface Spot {
  place: number;
  id: number;
}

const start: Spot = { place: -1, id: -1 };

interface Found {
  /** The number of matches, or `mostCounted` + 1 if there are more. */
  count: number;
  /** Ids of the page. Empty above the counting limit. */
  ids: number[];
}

/** Counts matches up to the limit, and selects the page among them. */
async function find(sql: Queryable, showing: Showing): Promise<Found> {
  const { table, sought = table, owner, where, along, limit, offset } = showing;
  const [found] = await sql<Found[]>`
    with found as materialized (
      select place, id from ${sought} where ${owner} and ${where ?? sql`true`}
      order by ${along} limit ${mostCounted + 1}
    ),
    counted as (select count(*)::int as count from found)
    select count, array(
      select id from found where count <= ${mostCounted}
      order by place, id limit ${limit} offset ${offset}
    ) as ids
    from counted`;
  return found ?? { count: 0, ids: [] };
}

/**
 * Finds the page among many rows, usually within the first rows. Otherwise reads the filter's index
 * and sorts.
 */
async function findAmongMany(sql: Queryable, showing: Showing): Promise<number[]> {
  const { table, sought = table, owner, where, limit, offset, behind } = showing;
  const near = await sql<{ id: number }[]>`
    select id from (
      select * from ${table} where ${owner} and (place, id) > (${behind.place}, ${behind.id})
      order by place, id limit ${mostCounted}
    ) as near
    where ${where ?? sql`true`} order by place, id limit ${limit} offset ${offset}`;
  if (near.length === limit) return near.map((row) => row.id);
  const far = await sql<{ id: number }[]>`
    select id from ${sought} where ${owner} and ${where ?? sql`true`}
      and (place, id) > (${behind.place}, ${behind.id})
    order by place + 0, id limit ${limit} offset ${offset}`;
  return far.map((row) => row.id);
}

interface ListRows<Row> {
  rows: Row[];
  totalCount: number | null;
}

async function show<Row extends object>(
  sql: Queryable,
  showing: Showing,
  counts: boolean,
): Promise<ListRows<Row>> {
  const { columns, table, owner, where, limit, offset, behind } = showing;
  const found = counts ? await find(sql, showing) : null;
  const totalCount = found && found.count <= mostCounted ? found.count : null;
  if (where === null) {
    const rows = await sql<Row[]>`
      select ${columns} from ${table}
      where ${owner} and (place, id) > (${behind.place}, ${behind.id})
      order by place, id limit ${limit} offset ${offset}`;
    return { rows, totalCount };
  }
  const ids = found && totalCount !== null ? found.ids : await findAmongMany(sql, showing);
  const rows = await sql<Row[]>`
    select ${columns} from ${table} where ${owner} and id = any(${ids}::bigint[])
    order by place, id`;
  return { rows, totalCount };
}

/** Returns a row's position in the list, or null if absent. The id 0 is the start. */
async function spotOf(sql: Queryable, { table, owner }: Listing, id: number): Promise<Spot | null> {
  if (id === 0) return start;
  const [spot] = await sql<Spot[]>`select place, id from ${table} where ${owner} and id = ${id}`;
  return spot ?? null;
}

export interface ListRequest {
  limit: number;
  from: PageFrom;
  /** On a replica: the place up to which its lists are complete. */
  settledHere?: number | null;
}

/**
 * Throws `ReplicaLagging` if a replica may lack part of the list: it lacks the cursor's row, or has
 * rows beyond the settled place.
 */
async function holdsWhole(
  sql: Queryable,
  { table, owner }: Listing,
  { behind, settledHere }: { behind: Spot | null; settledHere: number },
): Promise<void> {
  const [later] = behind
    ? await sql`select from ${table} where ${owner} and place > ${settledHere} limit 1`
    : [{}];
  if (later) throw new ReplicaLagging();
}

/**
 * Reads a page of a list in commit order, so that nothing appears later among rows already read. It
 * includes everything created before the call, except creations that take longer than half a
 * second. Numbered pages have a count, null above `mostCounted`. Returns null if the cursor's id is
 * not in the list.
 */
export async function readPage<Row extends object>(
  sql: Queryable,
  listing: Listing,
  { limit, from, settledHere = null }: ListRequest,
): Promise<ListRows<Row> | null> {
  const { list, accountId, owner } = listing;
  const counts = 'offset' in from;
  const behind = counts ? start : await spotOf(sql, listing, from.after);
  if (settledHere !== null) await holdsWhole(sql, listing, { behind, settledHere });
  if (!behind) return null;
  const filters = listing.filters.filter((condition) => condition !== null);
  const where = filters.length === 0 ? null : allOf(sql, sql`true`, filters);
  const window = { limit, offset: counts ? from.offset : 0, behind };
  const until = (place: number): Promise<ListRows<Row>> => {
    const settled = sql`${owner} and place <= ${place}`;
    return show(sql, { ...listing, ...window, where, owner: settled }, counts);
  };
  if (settledHere !== null) return await until(settledHere);
  const { settled, wait } = await settling(sql, list, accountId);
  const page = await until(settled);
  return page.rows.length === limit || !wait ? page : await until(await wait());
}
