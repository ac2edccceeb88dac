import type { Acting } from '../../platform/base.ts';
import { notFound } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { noteMembership } from '../note.ts';
import type { Topic } from './topics.ts';

export interface Wish {
  accountId: string;
  userId: number;
}

/** What somebody wishes to be told of for an account. */
export async function readWishes(sql: Queryable, { accountId, userId }: Wish): Promise<Topic[]> {
  const [row] = await sql<{ notices: Topic[] }[]>`
    select notices from memberships
    where account_id = ${accountId} and user_id = ${userId} and state = 'active'`;
  return row?.notices ?? [];
}

/** Where telling of an account begins. */
export interface Beginning {
  position: number;
  payouts: readonly number[];
  webhooks: readonly number[];
  yesterday: Temporal.PlainDate;
}

/**
 * Keeps what somebody wishes to be told of, from now on. False where he wished so already. 404: he
 * does not work for the account.
 */
export async function choose(
  acting: Acting,
  { accountId, userId }: Wish,
  wished: readonly Topic[],
  begin: () => Promise<Beginning>,
): Promise<boolean> {
  const eventId = await acting.recordIds.next();
  const begun = await begin();
  return await acting.sql.begin(async (tx) => {
    const [held] = await tx<{ notices: Topic[] }[]>`
      select notices from memberships
      where account_id = ${accountId} and user_id = ${userId} and state = 'active' for update`;
    if (!held) throw notFound('user of this account');
    const notices = [...wished].sort();
    if (notices.join() === [...held.notices].sort().join()) return false;
    const [row] = await tx<{ version: number }[]>`
      update memberships set notices = ${notices}::text[], version = version + 1
      where account_id = ${accountId} and user_id = ${userId} returning version`;
    await tx`
      insert into notice_marks (account_id, look_at, position, payouts, webhooks, summary_day)
      values (${accountId}, ${acting.clocks.wall.now()}::timestamptz, ${begun.position},
        ${[...begun.payouts]}::bigint[], ${[...begun.webhooks]}::bigint[],
        ${begun.yesterday}::date)
      on conflict (account_id) do nothing`;
    await noteMembership(tx, acting, {
      accountId,
      userId,
      version: row?.version ?? 0,
      eventId,
      type: 'membership.notices_chosen',
      data: { notices, notices_before: held.notices },
    });
    return true;
  });
}
