import type { Queryable } from '../platform/postgres/connect.ts';

/** Numbers of transactions at a moment. */
export interface Numbers {
  /** All below this have ended. */
  before: number;
  /** No later one has begun. */
  next: number;
}

/**
 * Reads the ended transactions, of the coordinator if the database is distributed. In a query of
 * its own, since together with a table a node would answer with its own numbers.
 */
export async function readWindow(sql: Queryable): Promise<Numbers> {
  const [window] = await sql<Numbers[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as before,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next`;
  return window ?? { before: 0, next: 0 };
}
