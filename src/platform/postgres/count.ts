import type { Queryable } from './connect.ts';

/** How many rows a query finds; more than `most` are not counted. */
export async function countUpTo(
  sql: Queryable,
  most: number,
  found: ReturnType<Queryable>,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (${found} limit ${most}) as found`;
  return row?.count ?? 0;
}
