import type { Queryable } from '../../platform/postgres/connect.ts';
import { lookUpRequests } from '../../requests/index.ts';
import { isTaken } from '../unique-violation.ts';

/** Returns which of the ids are in use, with their QR's number. */
export async function takenIds(
  sql: Queryable,
  keys: readonly { accountId: string; id: string }[],
): Promise<Map<string, number>> {
  const accountIds = keys.map((key) => key.accountId);
  const rows = await sql<{ code: string; id: number }[]>`
    select r.code, r.id from unnest(
      ${accountIds}::text[], ${keys.map((key) => key.id)}::text[]
    ) as wanted (account_id, code)
    ${lookUpRequests(sql, 'wanted', 'code', 'code', accountIds)}`;
  return new Map(rows.map(({ code, id }) => [code, id]));
}

/**
 * Returns true if saving failed on a taken id: the QR's row collides, or the event of its creation.
 */
export const isTakenId = (error: unknown): boolean =>
  isTaken(error, 'requests_by_code', 'events_pkey');
