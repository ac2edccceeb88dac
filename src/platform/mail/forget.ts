import type { Queryable } from '../postgres/connect.ts';
import { removeSome } from '../postgres/distributed/removals.ts';

type Fragment = ReturnType<Queryable>;

const forgottenAtOnce = 1_000;

/**
 * Removes up to 1,000 emails sent or dropped before an instant of the wall clock. Returns their
 * number. Keeps failed emails, which can be resent. Runs `keeps` in the same statement, with the
 * relation `gone`, for nouns that need the outcome later.
 */
export async function forgetMails(
  sql: Queryable,
  before: Temporal.Instant,
  keeps: Fragment,
): Promise<number> {
  const gone = removeSome(sql, 'gone', {
    table: 'mails',
    key: ['account_id', 'id'],
    where: sql`t.state in ('sent', 'dropped') and t.next_at < ${before}::timestamptz
      order by t.next_at`,
    most: forgottenAtOnce,
    still: sql`t.state in ('sent', 'dropped')`,
    returning: ['account_id', 'id', 'recipient', 'state', 'ended_at'],
  });
  const [row] = await sql<{ count: number }[]>`
    with ${gone}, ${keeps}
    select count(*)::int as count from gone`;
  return row?.count ?? 0;
}
