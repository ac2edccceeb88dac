import type { Acting, Base } from '../platform/base.ts';
import type { LinkKey, Links } from '../platform/links.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { refusal } from './codes.ts';
import { isLinkKind, type LinkKind, noAccount, queueEmail, resetWords } from './emails.ts';
import { acceptMembership } from './memberships.ts';
import { noteUser } from './note.ts';
import { type Addressed, notifyUser } from './notify.ts';
import { type Identity, linkIdentity } from './provider/identities.ts';
import { forgetDevices } from './sign-in/devices.ts';
import type { Hasher } from './sign-in/password.ts';
import type { SignInRules } from './sign-in/rules.ts';
import { endAllSessions } from './sign-in/sessions.ts';
import { countTry, releaseTries } from './sign-in/tries.ts';
import {
  emailKeyOf,
  findUser,
  readHashes,
  refusePassword,
  refuseUsedPassword,
  type User,
  userColumns,
  writePassword,
} from './user.ts';

/** Validity of links. Invitations last longer, because they are not urgent. */
const goodFor: Record<LinkKind, { hours?: number; minutes?: number }> = {
  invitation: { hours: 7 * 24 },
  reset: { minutes: 30 },
};
/** Maximum number of valid, unused reset links per person. */
const mostAtOnce = 3;

/** Inserts a user's link. The caller queues its email. */
export async function makeLink(
  tx: Queryable,
  {
    accountId,
    id,
    userId,
    kind,
  }: { accountId: string; id: number; userId: number; kind: LinkKind },
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    insert into user_links (account_id, id, user_id, kind, created_at, expires_at)
    values (${accountId}, ${id}, ${userId}, ${kind}, ${now}::timestamptz,
      ${now.add(goodFor[kind])}::timestamptz)`;
}

/** Ends a user's unused reset links, in the transaction of a new password. */
export const endResets = (tx: Queryable, userId: number, now: Temporal.Instant) => tx`
  update user_links set used_at = ${now}::timestamptz
  where user_id = ${userId} and kind = 'reset' and used_at is null`;

/**
 * Queues the email with a link to choose a new password. Returns false if the user already has the
 * maximum of valid, unused links.
 */
export async function sendReset(acting: Acting, user: User): Promise<boolean> {
  const now = acting.clocks.wall.now();
  const [id = 0, mailId = 0, eventId = 0] = await acting.recordIds.take(3);
  const accountId = noAccount;
  return await acting.sql.begin(async (tx) => {
    // Serializes concurrent requests, so that they count each other's links.
    await tx`select from users where id = ${user.id} for update`;
    const [live] = await tx<{ count: number }[]>`
      select count(*)::int as count from user_links
      where user_id = ${user.id} and kind = 'reset' and used_at is null
        and created_at > ${now.subtract(goodFor.reset)}::timestamptz`;
    if ((live?.count ?? 0) >= mostAtOnce) return false;
    await makeLink(tx, { accountId, id, userId: user.id, kind: 'reset' }, now);
    const link = { kind: 'reset', id, no: 1 };
    const letter = { accountId, id: mailId, recipient: user.email, link, ...resetWords(user) };
    await queueEmail(tx, letter, now);
    await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.reset_asked' });
    return true;
  });
}

/**
 * Requests a password reset, and sends an email if the address belongs to an active user. Returns
 * the seconds to wait after too many requests, else null, whether or not the address is known. Does
 * nothing if passwords are off.
 */
export const askReset =
  (base: Base, rules: SignInRules) =>
  async ({ email, network }: { email: string; network: string }): Promise<number | null> => {
    if (!rules.passwords) return null;
    const now = base.clocks.wall.now();
    const person = `reset ${emailKeyOf(email)}`;
    const tried = { address: network, person, open: { device: null } };
    const wait = await countTry(base.sql, tried, { now, rules });
    if (wait !== null) return wait.seconds;
    const send = async (): Promise<void> => {
      const user = await findUser(base.sql, email);
      if (user?.state !== 'active') return;
      await sendReset({ ...base, actor: { kind: 'user', id: user.id } }, user);
    };
    // Not awaited, because the time would reveal whether the address is known.
    void send().catch((error: unknown) =>
      base.log.error({ err: error }, 'a password reset could not be sent'),
    );
    return null;
  };

interface Opened extends User {
  kind: LinkKind;
}

const openLink = async (
  sql: Queryable,
  { accountId, id }: LinkKey,
  kind: LinkKind,
  now: Temporal.Instant,
): Promise<User | null> => {
  const [row] = await sql<Opened[]>`
    with l as materialized (
      select user_id, kind from user_links
      where account_id = ${accountId} and id = ${id} and kind = ${kind}
        and used_at is null and expires_at > ${now}::timestamptz
    )
    select ${userColumns(sql)}, l.kind from l join users u on u.id = l.user_id`;
  return row ?? null;
};

/**
 * Returns a link's key and user, who may be suspended, or null if it is invalid, used or expired.
 */
export const readLink =
  ({ sql, clocks }: Base, links: Links) =>
  async (token: string, kind: LinkKind): Promise<{ key: Required<LinkKey>; user: User } | null> => {
    const key = isLinkKind(kind) ? links.keyOf(token, kind) : null;
    const user = key === null ? null : await openLink(sql, key, kind, clocks.wall.now());
    return key === null || user === null ? null : { key, user };
  };

export interface UseLink {
  key: LinkKey;
  kind: LinkKind;
  /** Null if the user has one, or signs in through the provider. */
  password: string | null;
  /** The provider's identity of an invited person, who then needs no password. */
  identity?: Identity;
  /** The caller's network, which has its own queue of password hashes. */
  network: string;
}

/** Activates an invited user who has no password, because the provider signs them in. */
const activate = (tx: Queryable, userId: number) => tx`
  update users set state = 'active', version = version + 1
  where id = ${userId} and state = 'invited'`;

/**
 * Uses a link once. The second of two concurrent calls finds it used. Throws 404 if it was used or
 * has expired, 403 for a suspended user or if passwords are off, 400 for a forbidden or recent
 * password, 409 without a required password, for a withdrawn invitation, or for an identity of
 * another user.
 */
export const useLink =
  (base: Base, hasher: Hasher, { passwords }: Pick<SignInRules, 'passwords'>) =>
  async (use: UseLink): Promise<Addressed> => {
    const { key, kind, password, network, identity } = use;
    const { accountId, id } = key;
    const { sql, clocks } = base;
    const now = clocks.wall.now();
    const user = await openLink(sql, { accountId, id }, kind, now);
    if (user === null) throw refusal('link.not_found', {});
    if (user.state === 'suspended') throw refusal('link.user_suspended', {});
    const chooses = kind === 'reset' || (user.state === 'invited' && identity === undefined);
    if (chooses && !passwords) throw refusal('password.off', {});
    if (chooses && password === null) throw refusal('password.missing', {});
    if (chooses && password !== null) refusePassword(password, user.email);
    if (chooses && password !== null) {
      const known = await readHashes(sql, user.id);
      // Two calls may use the same link concurrently.
      const open = await openLink(sql, { accountId, id }, kind, now);
      if (open === null) throw refusal('link.not_found', {});
      await refuseUsedPassword({ hasher, queue: network }, known, password);
    }
    const hash = chooses && password !== null ? await hasher.hash(password, network) : null;
    const acting = { clocks, actor: { kind: 'user', id: user.id } } as const;
    const [eventId = 0, joined = 0, mailId = 0, linked = 0] = await base.recordIds.take(4);
    await sql.begin(async (tx) => {
      // A user suspended while the password was hashed stays suspended. Locks the user before their
      // links, so that of two links used at the same time, the first invalidates the second.
      const welcome = await tx`
        select id from users where id = ${user.id} and state <> 'suspended' for update`;
      const used = await tx`
        update user_links set used_at = ${now}::timestamptz
        where account_id = ${accountId} and id = ${id} and used_at is null returning id`;
      if (used.length === 0) throw refusal('link.not_found', {});
      if (welcome.length === 0) throw refusal('link.user_suspended', {});
      if (hash !== null) {
        await writePassword(tx, user.id, hash);
        // Sessions and reset links from before the new password must not outlive it.
        await endAllSessions(tx, user.id);
        await forgetDevices(tx, user.id);
        await releaseTries(tx, { id: user.id, emailKey: emailKeyOf(user.email) });
        await endResets(tx, user.id, now);
        await notifyUser(tx, user, { what: 'password_changed' }, { mailId, now });
      }
      if (identity !== undefined) {
        await activate(tx, user.id);
        const ids = { eventId: linked, mailId };
        const isOwn = await linkIdentity(tx, acting, { user, identity }, ids);
        if (!isOwn) throw refusal('provider.taken', {});
      }
      const type = kind === 'reset' ? 'user.password_reset' : 'user.invitation_accepted';
      await noteUser(tx, acting, { eventId, userId: user.id, type });
      if (kind === 'invitation' && accountId !== noAccount) {
        await acceptMembership(tx, acting, { accountId, userId: user.id, eventId: joined });
      }
    });
    return user;
  };
