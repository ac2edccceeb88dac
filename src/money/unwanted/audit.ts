import { operatorBooks } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

/**
 * Checks that the payment of each returned approval was reversed, and that each approval belongs to
 * an attempt on its request. With the operator's books, reports the approvals that belong to no
 * account.
 */
export async function checkUnwantedApprovals(sql: Queryable, accountId: string): Promise<string[]> {
  if (accountId === operatorBooks) {
    const lost = await sql<{ id: number }[]>`
      select u.attempt_id as id from unwanted_approvals u
      where not exists (select from accounts a where a.id = u.account_id)
      order by u.attempt_id limit 100`;
    return lost.map(({ id }) => `the unwanted approval of attempt ${id} belongs to no account`);
  }
  const rows = await sql<{ id: number }[]>`
    select u.attempt_id as id from unwanted_approvals u
    left join attempts a on a.account_id = u.account_id and a.id = u.attempt_id
    left join results r on r.account_id = u.account_id and r.source = 'attempt'
      and r.source_ref in (u.attempt_id::text, u.attempt_id || ' approved')
      and r.type = 'collected'
    where u.account_id = ${accountId} and (a.id is null or a.request_id <> u.request_id
      or (u.state = 'returned' and coalesce(r.refunded, 0) = 0 and coalesce(r.charged_back, 0) = 0))
    order by u.attempt_id limit 100`;
  return rows.map(({ id }) => `the unwanted approval of attempt ${id} does not match its payment`);
}
