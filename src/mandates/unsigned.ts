import type { Queryable } from '../platform/postgres/connect.ts';

/** Past this nobody counts on. */
const most = 1_000;

/** How many mandates of an account end unsigned before a moment, up to 1,000. */
export async function countUnsigned(
  sql: Queryable,
  accountId: string,
  before: Temporal.Instant,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from mandates
      where account_id = ${accountId} and kind in ('adhesion', 'card_adhesion')
        and state = 'pending_to_sign' and sign_before <= ${before}::timestamptz
      limit ${most}
    ) as counted`;
  return row?.count ?? 0;
}
