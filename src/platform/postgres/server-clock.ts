import type { Queryable } from './connect.ts';

/** Selects the database server's time, to compare clocks, never to store. */
export const serverTime = (sql: Queryable) => sql`clock_timestamp()`;

/** Returns the database server's time, to compare clocks and to record runs. */
export async function databaseClock(sql: Queryable): Promise<Temporal.Instant> {
  const [row] = await sql<{ at: Temporal.Instant }[]>`select ${serverTime(sql)} as at`;
  if (!row) throw new Error('The database returned no time.');
  return row.at;
}
