import type { Queryable } from '../platform/postgres/connect.ts';

export interface Numbers {
  /** All transactions below this have ended. */
  before: number;
  /** The next transaction to begin. */
  next: number;
}

/**
 * Reads which transactions have ended, on the coordinator if the database is distributed. A
 * separate query, because in a query with a table a node would return its own numbers.
 */
export async function readWindow(sql: Queryable): Promise<Numbers> {
  const [window] = await sql<Numbers[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as before,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next`;
  return window ?? { before: 0, next: 0 };
}
