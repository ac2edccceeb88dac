import type { Queryable } from '../../platform/postgres/connect.ts';
import { lookUpRequests } from '../../requests/index.ts';
import { isTaken } from '../unique-violation.ts';

/** Of these ids, those that are in use. */
export async function takenIds(
  sql: Queryable,
  keys: { accountId: string; id: string }[],
): Promise<Set<string>> {
  const rows = await sql<{ code: string }[]>`
    select r.code from unnest(
      ${keys.map((key) => key.accountId)}::text[], ${keys.map((key) => key.id)}::text[]
    ) as wanted (account_id, code)
    ${lookUpRequests(sql, 'wanted', 'code', 'code')}`;
  return new Set(rows.map(({ code }) => code));
}

/**
 * Whether a saving statement failed because an id is taken: a second QR of an id collides in its
 * row, or in the event of its creation.
 */
export const isTakenId = (error: unknown): boolean =>
  isTaken(error, 'requests_by_code', 'events_pkey');
