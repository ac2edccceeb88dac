import type { Queryable } from './connect.ts';

/** Throws where the server takes no writes: a standby, or a database that was set read-only. */
export async function mustTakeWrites(sql: Queryable): Promise<void> {
  const [row] = await sql<{ readOnly: boolean }[]>`
    select current_setting('transaction_read_only')::boolean as "readOnly"`;
  if (!row?.readOnly) return;
  throw new Error(
    'The database takes no writes: DATABASE_URL leads to a standby, or to a database that was ' +
      'set read-only. It has to lead to the primary.',
  );
}
