import type { Queryable } from './connect.ts';

export async function countUpTo(
  sql: Queryable,
  most: number,
  found: ReturnType<Queryable>,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (${found} limit ${most}) as found`;
  return row?.count ?? 0;
}
