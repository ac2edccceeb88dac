import type { Base } from '../platform/base.ts';
import { eachAccount } from '../platform/each-account.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { withinReach } from '../platform/postgres/distributed/owners.ts';
import type { Notice } from './emails.ts';

/**
 * Maximum number of changes a day, per account and topic, that owners get a separate email about.
 */
const mostAtOnce = 10;
const day = { hours: 24 } as const;
/** Beyond the maximum, one email covers each period of this length. */
const foldedFor = { hours: 1 } as const;

export type FoldedTopic = 'webhooks' | 'keys' | 'members';

/**
 * Topics of notices that API keys and portal users can cause without limit, and which are therefore
 * folded. Never fold notices about money.
 */
const topics: Partial<Record<Notice['what'], FoldedTopic>> = {
  key_created: 'keys',
  key_revoked: 'keys',
  key_restricted: 'keys',
  key_rotated: 'keys',
  webhook_added: 'webhooks',
  webhook_changed: 'webhooks',
  webhook_removed: 'webhooks',
  webhook_paused: 'webhooks',
  webhook_resumed: 'webhooks',
  webhook_secret_changed: 'webhooks',
  invited: 'members',
  role_changed: 'members',
  member_removed: 'members',
};

/**
 * Counts a notice to an account's owners. Returns true if it exceeds the day's maximum for its
 * topic, so that a later email covers it. False for topics that are never folded. Locks a row of
 * the account, so lock no other row afterwards.
 */
export async function isFolded(
  tx: Queryable,
  { accountId, notice }: { accountId: string; notice: Notice },
  now: Temporal.Instant,
): Promise<boolean> {
  const topic = topics[notice.what];
  if (topic === undefined) return false;
  const isOver = tx`n.since <= ${now.subtract(day)}::timestamptz`;
  const folds = tx`(not (${isOver}) and n.letters >= ${mostAtOnce})`;
  const [row] = await tx<{ letters: number }[]>`
    insert into folded_notices as n (account_id, topic, since, letters)
    values (${accountId}, ${topic}, ${now}::timestamptz, 1)
    on conflict (account_id, topic) do update set
      since = case when ${isOver} then excluded.since else n.since end,
      letters = case when ${isOver} then 1 else least(n.letters, ${mostAtOnce}) + 1 end,
      folded = n.folded + case when ${folds} then 1 else 0 end,
      tell_at = case when ${folds}
        then coalesce(n.tell_at, ${now.add(foldedFor)}::timestamptz) else n.tell_at end
    returning letters`;
  return row !== undefined && row.letters > mostAtOnce;
}

interface Due {
  account_id: string;
  topic: FoldedTopic;
}

const dueAtOnce = 50;

/**
 * Sends owners the counts of folded notices, per account and topic. `prepare` returns the function
 * that queues the emails, in the transaction that ends the folding. Returns how many counts it
 * sent, 0 when none are left.
 */
export async function notifyFolded(
  { sql, clocks }: Pick<Base, 'sql' | 'clocks'>,
  prepare: (accountId: string) => Promise<(tx: Queryable, notice: Notice) => Promise<void>>,
): Promise<number> {
  const now = clocks.wall.now();
  const due = await sql<Due[]>`
    select account_id, topic from folded_notices
    where tell_at <= ${now}::timestamptz ${withinReach(sql)} order by tell_at limit ${dueAtOnce}`;
  let sent = 0;
  const tellOne = async ({ account_id: accountId, topic }: Due): Promise<void> => {
    const tell = await prepare(accountId);
    await sql.begin(async (tx) => {
      const [row] = await tx<{ folded: number }[]>`
        select folded from folded_notices
        where account_id = ${accountId} and topic = ${topic} and tell_at <= ${now}::timestamptz
        for update skip locked`;
      if (!row) return;
      await tx`
        update folded_notices set folded = 0, tell_at = null
        where account_id = ${accountId} and topic = ${topic}`;
      await tell(tx, { what: 'more_changes', topic, count: row.folded });
      sent += 1;
    });
  };
  const how = { atOnce: 1, failed: 'Owners of some accounts could not be notified.' };
  await eachAccount(due, how, async (one) => {
    try {
      await tellOne(one);
    } catch (error) {
      // Postpone it, so that it does not delay later ones.
      await sql`
        update folded_notices set tell_at = ${now.add(foldedFor)}::timestamptz
        where account_id = ${one.account_id} and topic = ${one.topic}
          and tell_at <= ${now}::timestamptz`;
      throw error;
    }
  });
  return sent;
}
