import type { Queryable } from './connect.ts';

/** Returns the database server's time, to compare clocks, never to store. */
export async function databaseClock(sql: Queryable): Promise<Temporal.Instant> {
  const [row] = await sql<{ at: Temporal.Instant }[]>`select clock_timestamp() as at`;
  if (!row) throw new Error('The database returned no time.');
  return row.at;
}
