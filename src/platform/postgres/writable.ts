import type { Queryable } from './connect.ts';

/** Throws if the server refuses writes: a standby, or a read-only database. */
export async function mustTakeWrites(sql: Queryable): Promise<void> {
  const [row] = await sql<{ read_only: boolean }[]>`
    select current_setting('transaction_read_only')::boolean as read_only`;
  if (!row?.read_only) return;
  throw new Error(
    'The database takes no writes: DATABASE_URL leads to a standby, or to a database that was ' +
      'set read-only. It has to lead to the primary.',
  );
}
