import { DatabaseAway } from '../errors.ts';
import type { Queryable } from './connect.ts';

/** Names a database of a running server, alike for every role and by every address that leads to it. */
async function identityOf(sql: Queryable): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select format('%s of %s', oid, extract(epoch from pg_postmaster_start_time())) as name
    from pg_database where datname = current_database()`;
  return row?.name ?? '';
}

/**
 * Throws if a variable's address leads to another database than that of `DATABASE_URL`: work would
 * go to the wrong one.
 */
export async function mustBeSame(sql: Queryable, other: Queryable, variable: string) {
  const [ours, theirs] = await Promise.all([
    identityOf(sql),
    identityOf(other).catch((error: unknown) => {
      if (!(error instanceof DatabaseAway)) throw error;
      // There are two addresses: the reader has to know which one this is.
      const { code, message, outcome } = error;
      throw new DatabaseAway(code, `${variable}: ${message}`, outcome, error);
    }),
  ]);
  if (ours === theirs) return;
  throw new Error(`${variable} leads to another database than DATABASE_URL: give it the same one.`);
}
