import { DatabaseAway } from '../errors.ts';
import type { Queryable } from './connect.ts';

/** Identifies a database of a running server, whatever the role or address. */
async function identityOf(sql: Queryable): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select format('%s of %s', oid, extract(epoch from pg_postmaster_start_time())) as name
    from pg_database where datname = current_database()`;
  return row?.name ?? '';
}

/**
 * Throws if a variable's address leads to another database than `DATABASE_URL`, because work would
 * go to the wrong one.
 */
export async function mustBeSame(sql: Queryable, other: Queryable, variable: string) {
  const [ours, theirs] = await Promise.all([
    identityOf(sql),
    identityOf(other).catch((error: unknown) => {
      if (!(error instanceof DatabaseAway)) throw error;
      // Name the variable, because two addresses are involved.
      const { code, message, outcome } = error;
      throw new DatabaseAway(code, `${variable}: ${message}`, outcome, error);
    }),
  ]);
  if (ours === theirs) return;
  throw new Error(`${variable} leads to another database than DATABASE_URL: give it the same one.`);
}
