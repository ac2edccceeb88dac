import type { Queryable } from './connect.ts';

/** What time the database's machine has: for who compares clocks, never for what is stored. */
export async function databaseClock(sql: Queryable): Promise<Temporal.Instant> {
  const [row] = await sql<{ at: Temporal.Instant }[]>`select clock_timestamp() as at`;
  if (!row) throw new Error('The database does not tell its time.');
  return row.at;
}
