import type { PageFrom } from '../list-page.ts';
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
  where: Fragment;
}

/** A page of a list by id; the rows are counted only where pages are asked for by number. */
export async function readPage<Row extends object>(
  sql: Queryable,
  { columns, table, where }: Listing,
  { limit, from }: { limit: number; from: PageFrom },
): Promise<{ rows: Row[]; totalCount: number | null }> {
  const seek = 'after' in from ? sql`and id > ${from.after}` : sql``;
  const offset = 'offset' in from ? from.offset : 0;
  const readRows = sql<Row[]>`
    select ${columns} from ${table}
    where ${where} ${seek} order by id limit ${limit} offset ${offset}`;
  if ('after' in from) return { rows: await readRows, totalCount: null };
  const countRows = sql<{ count: number }[]>`
    select count(*) as count from ${table} where ${where}`;
  const [rows, [counted]] = await Promise.all([readRows, countRows]);
  return { rows, totalCount: counted?.count ?? 0 };
}
