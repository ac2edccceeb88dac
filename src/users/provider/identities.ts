import type { Acting } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import { noteUser } from '../note.ts';
import { notifyUser } from '../notify.ts';
import { emailKeyOf, type User, userColumns } from '../user.ts';
import type { Claims, ProviderFault } from './settings.ts';

export type Identity = Pick<Claims, 'issuer' | 'subject'>;

/** Ids of the records of a first sign-in. Allocate them before locking rows. */
export interface LinkIds {
  eventId: number;
  mailId: number;
}

/**
 * Locks a user's row against concurrent links and changes of standing. Returns null if there is
 * none.
 */
async function holdUser(tx: Queryable, where: ReturnType<Queryable>): Promise<User | null> {
  const locked = await tx<{ id: number }[]>`
    select id from users u where ${where} for no key update`;
  const [user = null] = await tx<User[]>`
    select ${userColumns(tx)} from users u where u.id = ${locked[0]?.id ?? 0}`;
  return user;
}

/**
 * Links a user to an identity of the provider, and notifies them. Does nothing if they are linked
 * already. Returns false if the user has another identity there, or the identity belongs to another
 * user.
 */
export async function linkIdentity(
  tx: Queryable,
  acting: Pick<Acting, 'clocks' | 'actor'>,
  { user, identity: { issuer, subject } }: { user: User; identity: Identity },
  { eventId, mailId }: LinkIds,
): Promise<boolean> {
  const now = acting.clocks.wall.now();
  const rows = await tx`
    insert into user_identities (issuer, subject, user_id, linked_at)
    values (${issuer}, ${subject}, ${user.id}, ${now}::timestamptz)
    on conflict do nothing returning 1`;
  if (rows.length === 0) return await isLinkedTo(tx, { issuer, subject }, user);
  const data = { provider: issuer, subject };
  await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.provider_linked', data });
  await notifyUser(tx, user, { what: 'provider_linked' }, { mailId, now });
  return true;
}

/** OpenID Connect Core 1.0, section 2: ASCII, at most 255 characters. */
export const subjectShape = /^[ -~]{1,255}$/;

/**
 * Links a user on behalf of an operator, for a provider that does not verify addresses. Returns
 * false if they have this identity already. Throws 400 for a malformed identity, 409 if the user
 * has another one there, or the identity belongs to another user.
 */
export async function linkUser(
  acting: Acting,
  { user, identity }: { user: User; identity: Identity },
): Promise<boolean> {
  const { issuer, subject } = identity;
  if (!URL.canParse(issuer) || !subjectShape.test(subject)) {
    throw refusal('provider.identity_invalid', {});
  }
  const [eventId = 0, mailId = 0] = await acting.recordIds.take(2);
  return await acting.sql.begin(async (tx) => {
    await tx`select 1 from users where id = ${user.id} for no key update`;
    const [own] = await tx<{ subject: string }[]>`
      select subject from user_identities where user_id = ${user.id} and issuer = ${issuer}`;
    if (own?.subject === subject) return false;
    if (own) throw refusal('provider.linked', {});
    if (await linkIdentity(tx, acting, { user, identity }, { eventId, mailId })) return true;
    throw refusal('provider.subject_taken', {});
  });
}

/**
 * Unlinks a user from all providers, and ends their sessions. Returns the number of links. With
 * `keepsPassword`, throws 409 for a user without a password, who could not sign in any more.
 */
export async function unlinkIdentities(
  acting: Acting,
  { id }: User,
  { keepsPassword = false } = {},
): Promise<number> {
  const eventId = await acting.recordIds.next();
  return await acting.sql.begin(async (tx) => {
    // Waits for a concurrent sign-in, which has locked the user's row and found the link.
    const [held] = await tx<{ has_password: boolean }[]>`
      select password_hash is not null as has_password from users where id = ${id} for update`;
    if (keepsPassword && !held?.has_password) throw refusal('provider.only_way', {});
    const { count } = await tx`delete from user_identities where user_id = ${id}`;
    if (count === 0) return 0;
    // A session of the former identity must not outlive it.
    await tx`delete from user_sessions where user_id = ${id}`;
    await noteUser(tx, acting, { eventId, userId: id, type: 'user.provider_unlinked' });
    return count;
  });
}

/** Returns true if a provider signs the user in, so that they need no password. */
export async function isLinked(sql: Queryable, userId: number): Promise<boolean> {
  const rows = await sql`select 1 from user_identities where user_id = ${userId} limit 1`;
  return rows.length > 0;
}

export interface ProviderLink {
  linked_at: Temporal.Instant;
  has_password: boolean;
}

/** Returns a user's latest link to a provider, or null. */
export async function linkOf(sql: Queryable, userId: number): Promise<ProviderLink | null> {
  const [link = null] = await sql<ProviderLink[]>`
    select i.linked_at, u.password_hash is not null as has_password
    from user_identities i join users u on u.id = i.user_id
    where i.user_id = ${userId} order by i.linked_at desc limit 1`;
  return link;
}

export async function linkedAmong(
  sql: Queryable,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await sql<{ id: number }[]>`
    select distinct user_id as id from user_identities where user_id = any(${[...ids]}::bigint[])`;
  return new Set(rows.map(({ id }) => id));
}

export type Identified =
  | { kind: 'known'; user: User }
  /** `user`: the one whom the claims match, if any. */
  | { kind: 'refused'; fault: ProviderFault; user: User | null };

const refused = (fault: ProviderFault, user: User | null = null): Identified => ({
  kind: 'refused',
  fault,
  user,
});

const standingOf = (user: User): Identified => {
  if (user.state === 'suspended') return refused('suspended', user);
  return user.state === 'invited' ? refused('invited', user) : { kind: 'known', user };
};

/** Returns true if the provider vouches for an address. Null `domains` accept every address. */
export const isVouchedFor = (email: string, domains: readonly string[] | null): boolean =>
  domains === null || domains.includes(emailKeyOf(email).split('@').at(-1) ?? '');

export async function isLinkedTo(
  tx: Queryable,
  { issuer, subject }: Identity,
  { id }: User,
): Promise<boolean> {
  const rows = await tx`
    select 1 from user_identities
    where issuer = ${issuer} and subject = ${subject} and user_id = ${id}`;
  return rows.length > 0;
}

interface IdentityClaim {
  claims: Claims;
  domains: readonly string[] | null;
  /** The only user to accept. Absent accepts any. */
  only?: number;
}

/**
 * Finds the user whom the claims identify, by subject. At the first sign-in, finds them by their
 * verified address and links them. Never creates a user.
 */
export async function identify(
  tx: Queryable,
  acting: Pick<Acting, 'clocks'>,
  { claims, domains, only }: IdentityClaim,
  ids: LinkIds,
): Promise<Identified> {
  const { issuer, subject, email } = claims;
  const linked = await holdUser(
    tx,
    tx`u.id = (select user_id from user_identities
      where issuer = ${issuer} and subject = ${subject})`,
  );
  const isAnother = (user: User) => only !== undefined && user.id !== only;
  if (linked !== null) {
    // The link may have been removed while this waited for the user's row.
    if (!(await isLinkedTo(tx, claims, linked))) return refused('reassigned', linked);
    return isAnother(linked) ? refused('another', linked) : standingOf(linked);
  }
  if (email === null) return refused('unverified');
  if (!isVouchedFor(email, domains)) return refused('unknown');
  const user = await holdUser(tx, tx`u.email_key = ${emailKeyOf(email)}`);
  if (user === null) return refused('unknown');
  if (isAnother(user)) return refused('another', user);
  const standing = standingOf(user);
  if (standing.kind === 'refused') return standing;
  const own = { clocks: acting.clocks, actor: { kind: 'user', id: user.id } } as const;
  // False if the provider gave the address to someone else.
  const isOwn = await linkIdentity(tx, own, { user, identity: claims }, ids);
  return isOwn ? standing : refused('reassigned', user);
}
