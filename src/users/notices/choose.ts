import type { Acting } from '../../platform/base.ts';
import { refuseOutdated } from '../../platform/form-version.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import { noteMembership } from '../note.ts';
import type { Topic } from './topics.ts';

export interface Wish {
  accountId: string;
  userId: number;
}

export async function readWishes(sql: Queryable, { accountId, userId }: Wish): Promise<Topic[]> {
  const [row] = await sql<{ notices: Topic[] }[]>`
    select notices from memberships
    where account_id = ${accountId} and user_id = ${userId} and state = 'active'`;
  return row?.notices ?? [];
}

/** A choice of topics, with the values that the form displayed. */
export interface Choice extends Wish {
  topics: readonly Topic[];
  seen?: string;
}

const sortedText = (topics: readonly Topic[]): string => [...topics].sort().join(' ');

export const wishesFormValues = (topics: readonly Topic[]) => ({ topics: sortedText(topics) });

/** The starting point of an account's notices. */
export interface Beginning {
  position: number;
  payouts: readonly number[];
  webhooks: readonly number[];
  yesterday: Temporal.PlainDate;
}

/** Starts an account's notices. An existing mark keeps its position. */
const beginMark = (
  tx: Queryable,
  accountId: string,
  begun: Beginning & { at: Temporal.Instant },
) => tx`
  insert into notice_marks (account_id, look_at, position, payouts, webhooks, summary_day)
  values (${accountId}, ${begun.at}::timestamptz, ${begun.position},
    ${[...begun.payouts]}::bigint[], ${[...begun.webhooks]}::bigint[], ${begun.yesterday}::date)
  on conflict (account_id) do update set account_id = excluded.account_id`;

/**
 * Stores a user's subscription. Returns false if unchanged. Throws 404 if they are not a member of
 * the account, 409 if it changed since the form was loaded.
 */
export async function choose(
  acting: Acting,
  { accountId, userId, topics, seen }: Choice,
  begin: () => Promise<Beginning>,
): Promise<boolean> {
  const eventId = await acting.recordIds.next();
  const begun = await begin();
  return await acting.sql.begin(async (tx) => {
    const [membership] = await tx<{ notices: Topic[] }[]>`
      select notices from memberships
      where account_id = ${accountId} and user_id = ${userId} and state = 'active' for update`;
    if (!membership) throw refusal('member.not_found', {});
    // Before the comparison, so that an unchanged choice also recreates a deleted mark. Waits for a
    // concurrent deletion.
    await beginMark(tx, accountId, { ...begun, at: acting.clocks.wall.now() });
    const notices = [...topics].sort();
    if (sortedText(notices) === sortedText(membership.notices)) return false;
    refuseOutdated(seen, wishesFormValues(membership.notices));
    const [row] = await tx<{ version: number }[]>`
      update memberships set notices = ${notices}::text[], version = version + 1
      where account_id = ${accountId} and user_id = ${userId} returning version`;
    await noteMembership(tx, acting, {
      accountId,
      userId,
      version: row?.version ?? 0,
      eventId,
      type: 'membership.notices_chosen',
      data: { notices, notices_before: membership.notices },
    });
    return true;
  });
}
