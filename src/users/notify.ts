import type { Base } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { type Notice, noAccount, noticeWords, queueEmail } from './emails.ts';
import { isFolded, notifyFolded } from './folded.ts';
import { type User, userColumns } from './user.ts';

export type Addressed = Pick<User, 'id' | 'email' | 'name' | 'lang'>;

/** Notifies a user of a change to their sign-in or role. */
export async function notifyUser(
  tx: Queryable,
  user: Addressed,
  notice: Notice,
  { mailId, now }: { mailId: number; now: Temporal.Instant },
): Promise<void> {
  const letter = { accountId: noAccount, id: mailId, recipient: user.email, link: null };
  await queueEmail(tx, { ...letter, ...noticeWords(user, notice, 'Recaudo') }, now);
}

/** Maximum number of owners who get a notice. */
export const maxNotifiedOwners = 20;

/** Returns an account's active owners, who get the notices about its money and keys. */
const ownersOf = (sql: Queryable, accountId: string, most: number): Promise<User[]> =>
  sql<User[]>`
    with m as materialized (
      select user_id from memberships
      where account_id = ${accountId} and role = 'owner' and state = 'active'
    )
    select ${userColumns(sql)} from m join users u on u.id = m.user_id
    where u.state = 'active' order by u.id limit ${most}`;

/**
 * Notifies an account's owners in the transaction of the event, or with a later email after many in
 * a day. Lock no row after it.
 */
export async function notifyOwners(
  tx: Queryable,
  { accountId, where, notice }: { accountId: string; where: string; notice: Notice },
  { mailIds, now }: { mailIds: readonly number[]; now: Temporal.Instant },
): Promise<void> {
  if (await isFolded(tx, { accountId, notice }, now)) return;
  const owners = await ownersOf(tx, accountId, mailIds.length);
  for (const [index, owner] of owners.entries()) {
    const letter = { accountId, id: mailIds[index] ?? 0, recipient: owner.email, link: null };
    await queueEmail(tx, { ...letter, ...noticeWords(owner, notice, where) }, now);
  }
}

/** Sends owners the counts of folded notices. `nameOf` returns the account's name in emails. */
export const notifyOwnersLater = (
  base: Base,
  nameOf: (accountId: string) => Promise<string | null>,
): Promise<number> =>
  notifyFolded(base, async (accountId) => {
    const mailIds = await base.recordIds.take(maxNotifiedOwners);
    const where = (await nameOf(accountId)) ?? accountId;
    const now = base.clocks.wall.now();
    return (tx, notice) => notifyOwners(tx, { accountId, where, notice }, { mailIds, now });
  });

/** Prepares a notice to owners. Returns a function that queues it in another noun's transaction. */
export const ownerNotices =
  ({ recordIds, clocks }: Pick<Base, 'recordIds' | 'clocks'>) =>
  async (account: { id: string; name: string }, notice: Notice) => {
    const mailIds = await recordIds.take(maxNotifiedOwners);
    const notification = { accountId: account.id, where: account.name, notice };
    return (tx: Queryable): Promise<void> =>
      notifyOwners(tx, notification, { mailIds, now: clocks.wall.now() });
  };
