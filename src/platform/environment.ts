import { refusal } from './codes.ts';
import type { Queryable } from './postgres/connect.ts';

/**
 * Returns the environment that the database belongs to. Null before its first start, also by an
 * earlier release.
 */
export async function environmentOf(sql: Queryable): Promise<string | null> {
  const [table] = await sql<{ found: boolean }[]>`
    select to_regclass('deployment') is not null as found`;
  if (!table?.found) return null;
  const [row] = await sql<{ environment: string }[]>`select environment from deployment`;
  return row?.environment ?? null;
}

/** Throws if the database belongs to another environment. */
export async function refuseOtherEnvironment(sql: Queryable, configured: string): Promise<void> {
  const recorded = await environmentOf(sql);
  if (recorded === null || recorded === configured) return;
  throw refusal('environment_differs', { recorded, configured });
}

/**
 * Records the environment of a new database. Throws if it belongs to another one, before anything
 * of this environment is written to it.
 */
export async function claimEnvironment(sql: Queryable, configured: string): Promise<void> {
  if ((await environmentOf(sql)) === null) {
    await sql`
      insert into deployment (environment) values (${configured}) on conflict do nothing`;
  }
  await refuseOtherEnvironment(sql, configured);
}
