import { mostCounted, type PageFrom } from '../list-page.ts';
import type { Queryable } from './connect.ts';

type Fragment = ReturnType<Queryable>;

/** Conditions that must all hold; null: not asked for. There is always a first one. */
export const allOf = (
  sql: Queryable,
  first: Fragment,
  others: readonly (Fragment | null)[],
): Fragment =>
  others
    .filter((condition) => condition !== null)
    .reduce((all, condition) => sql`${all} and ${condition}`, first);

/** What is listed: the columns and the table that they are of. */
export interface Listing {
  columns: Fragment;
  table: Fragment;
  /** Whose rows of which kind: an index gives them by id. */
  owner: Fragment;
  /** Conditions that must all hold besides; null: not asked for. Each has an index of its own. */
  filters: readonly (Fragment | null)[];
  /** The column in whose order an index gives what the filters find: `id`, or one with a range. */
  along: Fragment;
}

interface Found {
  /** How many there are, or one more than `mostCounted`. */
  count: number;
  /** Those of the page; empty where there are more than are counted. */
  ids: number[];
}

interface Window {
  limit: number;
  offset: number;
}

/** Counts what the filters find, as far as it is counted, and takes the page from it. */
async function find(
  sql: Queryable,
  { table, owner, where, along }: Listing & { where: Fragment },
  { limit, offset }: Window,
): Promise<Found> {
  const [found] = await sql<Found[]>`
    with found as materialized (
      select id from ${table} where ${owner} and ${where} order by ${along} limit ${mostCounted + 1}
    ),
    counted as (select count(*)::int as count from found)
    select count, array(
      select id from found where count <= ${mostCounted} order by id limit ${limit} offset ${offset}
    ) as ids
    from counted`;
  return found ?? { count: 0, ids: [] };
}

/**
 * The page from among many: mostly it lies within the first rows of the list. Where it does not,
 * the index of the filter is read and put into the order of the list.
 */
async function findAmongMany(
  sql: Queryable,
  { table, owner, where }: Listing & { where: Fragment },
  { limit, offset, after }: Window & { after: number },
): Promise<number[]> {
  const near = await sql<{ id: number }[]>`
    select id from (
      select * from ${table} where ${owner} and id > ${after} order by id limit ${mostCounted}
    ) as near
    where ${where} order by id limit ${limit} offset ${offset}`;
  if (near.length === limit) return near.map((row) => row.id);
  const far = await sql<{ id: number }[]>`
    select id from ${table} where ${owner} and ${where} and id > ${after}
    order by id + 0 limit ${limit} offset ${offset}`;
  return far.map((row) => row.id);
}

/**
 * A page of a list by id. Where pages are asked for by number the rows are counted; null where they
 * are more than `mostCounted`.
 */
export async function readPage<Row extends object>(
  sql: Queryable,
  listing: Listing,
  { limit, from }: { limit: number; from: PageFrom },
): Promise<{ rows: Row[]; totalCount: number | null }> {
  const { columns, table, owner } = listing;
  const filters = listing.filters.filter((condition) => condition !== null);
  const filtered = { ...listing, where: allOf(sql, sql`true`, filters) };
  const after = 'after' in from ? from.after : -1;
  const window = { limit, offset: 'offset' in from ? from.offset : 0 };
  const found = 'after' in from ? null : await find(sql, filtered, window);
  const totalCount = found && found.count <= mostCounted ? found.count : null;
  if (filters.length === 0) {
    const rows = await sql<Row[]>`
      select ${columns} from ${table} where ${owner} and id > ${after}
      order by id limit ${limit} offset ${window.offset}`;
    return { rows, totalCount };
  }
  const ids =
    found && totalCount !== null
      ? found.ids
      : await findAmongMany(sql, filtered, { ...window, after });
  const rows = await sql<Row[]>`
    select ${columns} from ${table} where ${owner} and id = any(${ids}::bigint[]) order by id`;
  return { rows, totalCount };
}
