import type { Acting, Base } from '../platform/base.ts';
import type { LinkKey, Links } from '../platform/links.ts';
import { lockNames } from '../platform/postgres/advisory-lock.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { AccountRole } from './acts.ts';
import { refusal, tooMany } from './codes.ts';
import { invitationWords, noAccount, queueEmail } from './emails.ts';
import { makeLink } from './links.ts';
import { noteUser } from './note.ts';
import { type User, userColumns } from './user.ts';

/**
 * Maximum number of invitations within a day: to one address, and from one account or the service.
 */
const most = { address: 5, account: 50 } as const;
const window = { hours: 24 } as const;

export interface Inviting {
  user: User;
  /** The account and its name in emails. Null for the service itself. */
  account: { id: string; name: string } | null;
  ids: { linkId: number; mailId: number };
}

/** Serializes an address's invitations. Take this lock first. */
export const lockInvitee = (tx: Queryable, emailKey: string): Promise<void> =>
  lockNames(tx, `invitation to ${emailKey}`);

async function lockInvited(tx: Queryable, userId: number): Promise<void> {
  const [user] = await tx<{ email_key: string }[]>`
    select email_key from users where id = ${userId}`;
  if (user) await lockInvitee(tx, user.email_key);
}

/** Throws 429 for too many emails within a day, to one address or from one account. */
async function refuseMany(
  tx: Queryable,
  { userId, accountId, now }: { userId: number; accountId: string; now: Temporal.Instant },
): Promise<void> {
  // Serializes concurrent invitations of an account, so that they count each other. Lock no row
  // after this.
  await lockNames(tx, `invitations of ${accountId}`);
  const since = now.subtract(window);
  // When a limit is reached, the time of the oldest invitation that counts. The next invitation may
  // follow a day after it.
  const [full] = await tx<Record<keyof typeof most, Temporal.Instant | null>[]>`
    select (select created_at from user_links
        where user_id = ${userId} and created_at > ${since}::timestamptz and kind = 'invitation'
        order by created_at desc offset ${most.address - 1} limit 1) as address,
      (select created_at from user_links
        where account_id = ${accountId} and kind = 'invitation'
          and created_at > ${since}::timestamptz
        order by created_at desc offset ${most.account - 1} limit 1) as account`;
  const secondsAfter = (oldest: Temporal.Instant): number =>
    Math.max(1, Math.ceil(now.until(oldest.add(window)).total('seconds')));
  if (full?.address) {
    throw tooMany(
      'invitation.too_many_to_address',
      { most: most.address },
      secondsAfter(full.address),
    );
  }
  if (full?.account) {
    throw tooMany('invitation.too_many', { most: most.account }, secondsAfter(full.account));
  }
}

/**
 * Creates an invitation's link and queues its email, within a transaction. Throws 429 for too many
 * within a day.
 */
export async function mailInvitation(
  tx: Queryable,
  { user, account, ids: { linkId, mailId } }: Inviting,
  now: Temporal.Instant,
): Promise<void> {
  const accountId = account?.id ?? noAccount;
  await refuseMany(tx, { userId: user.id, accountId, now });
  await makeLink(tx, { accountId, id: linkId, userId: user.id, kind: 'invitation' }, now);
  const words = invitationWords(user, account?.name ?? null);
  const link = { kind: 'invitation', id: linkId, no: 1 };
  await queueEmail(tx, { accountId, id: mailId, recipient: user.email, link, ...words }, now);
}

/**
 * Finds a person with an open invitation to an account, and locks the membership. Returns null if
 * there is none or the person is suspended.
 */
async function findInvited(
  tx: Queryable,
  { accountId, userId }: { accountId: string; userId: number },
): Promise<(User & { role: AccountRole }) | null> {
  const [row] = await tx<(User & { role: AccountRole })[]>`
    with m as materialized (
      select user_id, role from memberships
      where account_id = ${accountId} and user_id = ${userId} and state = 'invited' for update)
    select ${userColumns(tx)}, m.role from m join users u on u.id = m.user_id
    where u.state <> 'suspended'`;
  return row ?? null;
}

/**
 * Mails an invitation again. Throws 404 if none is open or the person is suspended, 429 for too
 * many within a day.
 */
export async function inviteAgain(
  acting: Acting,
  { account, userId }: { account: { id: string; name: string }; userId: number },
): Promise<void> {
  const [linkId = 0, mailId = 0, eventId = 0] = await acting.recordIds.take(3);
  const now = acting.clocks.wall.now();
  await acting.sql.begin(async (tx) => {
    await lockInvited(tx, userId);
    const user = await findInvited(tx, { accountId: account.id, userId });
    if (user === null) throw refusal('invitation.not_found', {});
    await mailInvitation(tx, { user, account, ids: { linkId, mailId } }, now);
    const data = { account: account.id };
    await noteUser(tx, acting, { eventId, userId, type: 'user.invited_again', data });
  });
}

/** Returns the user id of an expired, unused invitation, or null. */
async function findLapsed(
  sql: Queryable,
  { accountId, id }: LinkKey,
  now: Temporal.Instant,
): Promise<number | null> {
  const [row] = await sql<{ user_id: number }[]>`
    select l.user_id from user_links l
    where l.account_id = ${accountId} and l.id = ${id} and l.kind = 'invitation'
      and l.used_at is null and l.expires_at <= ${now}::timestamptz`;
  return row?.user_id ?? null;
}

/** Returns true if the link is an expired, unused invitation. */
export const isLapsed =
  ({ sql, clocks }: Base, links: Links) =>
  async (token: string): Promise<boolean> => {
    const key = links.keyOf(token, 'invitation');
    return key !== null && (await findLapsed(sql, key, clocks.wall.now())) !== null;
  };

/**
 * Mails a new link to an expired link's owner. Reveals nothing about whether they are still
 * invited. `nameOf` returns the account's name in emails. Throws 404 unless the link is an expired,
 * unused invitation, and 429 for too many within a day.
 */
export const renewLink =
  (base: Base, links: Links) =>
  async (token: string, nameOf: (accountId: string) => Promise<string | null>): Promise<void> => {
    const key = links.keyOf(token, 'invitation');
    const now = base.clocks.wall.now();
    const userId = key === null ? null : await findLapsed(base.sql, key, now);
    if (key === null || userId === null) throw refusal('link.not_found', {});
    const { accountId } = key;
    const name = accountId === noAccount ? null : await nameOf(accountId);
    const [linkId = 0, mailId = 0, eventId = 0] = await base.recordIds.take(3);
    const acting = { ...base, actor: { kind: 'user', id: userId } } as const;
    await base.sql.begin(async (tx) => {
      await lockInvited(tx, userId);
      const user =
        accountId === noAccount
          ? await findNewcomer(tx, userId)
          : await findInvited(tx, { accountId, userId });
      if (user === null) return;
      const account = name === null ? null : { id: accountId, name };
      await mailInvitation(tx, { user, account, ids: { linkId, mailId } }, now);
      const data = { account: account?.id ?? null };
      await noteUser(tx, acting, { eventId, userId, type: 'user.invited_again', data });
    });
  };

/** Finds and locks an invited user with a service role. Returns null if there is none. */
async function findNewcomer(tx: Queryable, userId: number): Promise<User | null> {
  const [row] = await tx<User[]>`
    select ${userColumns(tx)} from users u
    where u.id = ${userId} and u.state = 'invited' and u.service_role is not null for update of u`;
  return row ?? null;
}
