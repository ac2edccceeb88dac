import type { Queryable } from '../postgres/connect.ts';

type Fragment = ReturnType<Queryable>;

const forgottenAtOnce = 1_000;

const goneByRow = (sql: Queryable, before: Temporal.Instant): Fragment => sql`
    gone as (
      delete from mails where ctid = any(array(
        select ctid from mails
        where state in ('sent', 'dropped') and next_at < ${before}::timestamptz
        order by next_at limit ${forgottenAtOnce} for update skip locked))
      returning account_id, id, recipient, state, ended_at
    )`;

/** The same where rows lie on several nodes, which hold none together. */
const goneByKey = (sql: Queryable, before: Temporal.Instant): Fragment => sql`
    old as materialized (
      select account_id, id from mails
      where state in ('sent', 'dropped') and next_at < ${before}::timestamptz
      order by next_at limit ${forgottenAtOnce}
    ),
    gone as (
      delete from mails m using old
      where m.account_id = old.account_id and m.id = old.id and m.state in ('sent', 'dropped')
      returning m.account_id, m.id, m.recipient, m.state, m.ended_at
    )`;

/**
 * Removes mails that went out, or were asked for no more, before a moment of the wall clock; answers
 * how many. Failed ones stay: somebody may send them again. `keeps` is done in the same statement
 * with the relation `gone`, by whoever goes on telling of them.
 */
export async function forgetMails(
  sql: Queryable,
  before: Temporal.Instant,
  keeps: Fragment,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with ${sql.layout.isDistributed ? goneByKey(sql, before) : goneByRow(sql, before)}, ${keeps}
    select count(*)::int as count from gone`;
  return row?.count ?? 0;
}
