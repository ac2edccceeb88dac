import type { Acting } from '../platform/base.ts';
import { refusal } from './codes.ts';
import { endResets } from './links.ts';
import { noteUser } from './note.ts';
import { notifyUser } from './notify.ts';
import { isLinked } from './provider/identities.ts';
import { holdOperators } from './service-roles.ts';
import { forgetDevices } from './sign-in/devices.ts';
import type { Hasher } from './sign-in/password.ts';
import type { SignInRules } from './sign-in/rules.ts';
import { endAllSessions, type SignedIn } from './sign-in/sessions.ts';
import { countTry, forgiveTries, releaseTries } from './sign-in/tries.ts';
import {
  emailKeyOf,
  readHashes,
  refusePassword,
  refuseUsedPassword,
  type User,
  type UserState,
  writePassword,
} from './user.ts';

export interface PasswordChange {
  who: SignedIn;
  current: string;
  password: string;
  /** The caller's network, which has its own limit of attempts. */
  network: string;
  /** The secret of the browser's device, which stays known, or null. */
  device: string | null;
}

export type PasswordChanged =
  | { kind: 'changed' }
  | { kind: 'wrong' }
  | { kind: 'too_many'; seconds: number };

/**
 * Suspends or reinstates a user. A suspension ends their sessions. A reinstated user who cannot
 * sign in yet becomes `invited`, without a new email. Returns the new state, or null if unchanged.
 * Throws 404 for an unknown user, 409 to suspend the last operator, or to reinstate a user whose
 * invitation is open.
 */
export async function setStanding(
  acting: Acting,
  { userId, to }: { userId: number; to: 'suspended' | 'active' },
): Promise<UserState | null> {
  const eventId = await acting.recordIds.next();
  return await acting.sql.begin(async (tx) => {
    if (to === 'suspended') await holdOperators(tx, userId);
    const [user] = await tx<{ state: UserState; password_hash: string | null }[]>`
      select state, password_hash from users where id = ${userId} for update`;
    if (!user) throw refusal('user.not_found', {});
    if (user.state === to) return null;
    if (user.state === 'invited' && to === 'active') {
      throw refusal('user.invitation_open', {});
    }
    const comesIn = user.password_hash !== null || (await isLinked(tx, userId));
    const next = to === 'active' && !comesIn ? 'invited' : to;
    await tx`update users set state = ${next}, version = version + 1 where id = ${userId}`;
    if (to === 'suspended') await endAllSessions(tx, userId);
    const type = to === 'suspended' ? 'user.suspended' : 'user.reopened';
    const data = { state: next, before: { state: user.state } };
    await noteUser(tx, acting, { eventId, userId, type, data });
    return next;
  });
}

/**
 * Changes a user's password if `current` is right. Ends the user's other sessions and reset links,
 * forgets their other devices, and sends them an email. Throws 400 for a forbidden or recent
 * password, 404 if their own session has ended, for example by a concurrent change.
 */
export async function changePassword(
  acting: Acting,
  { hasher, rules }: { hasher: Hasher; rules: SignInRules },
  { who: { user, session }, current, password, network, device }: PasswordChange,
): Promise<PasswordChanged> {
  refusePassword(password, user.email);
  const tried = { address: network, person: `session ${user.id}` };
  const wait = await countTry(acting.sql, tried, { now: acting.clocks.wall.now(), rules });
  if (wait !== null) return { kind: 'too_many', seconds: wait.seconds };
  const queue = `user ${user.id}`;
  const known = await readHashes(acting.sql, user.id);
  if (!(await hasher.matches(current, known.password_hash, queue))) return { kind: 'wrong' };
  await acting.sql.begin((tx) => forgiveTries(tx, tried, rules));
  await refuseUsedPassword({ hasher, queue }, known, password);
  const hash = await hasher.hash(password, queue);
  const [eventId = 0, mailId = 0] = await acting.recordIds.take(2);
  const now = acting.clocks.wall.now();
  await acting.sql.begin(async (tx) => {
    await writePassword(tx, user.id, hash);
    const own = await tx`
      select 1 from user_sessions where user_id = ${user.id} and id = ${session.id}`;
    if (own.length === 0) throw refusal('session.not_found', {});
    await tx`
      delete from user_sessions where user_id = ${user.id} and id <> ${session.id}`;
    await endResets(tx, user.id, now);
    await forgetDevices(tx, user.id, device);
    await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.password_changed' });
    await notifyUser(tx, user, { what: 'password_changed' }, { mailId, now });
  });
  return { kind: 'changed' };
}

/** Lets a user try to sign in again at once. Returns false if no attempts were counted. */
export async function releaseUser(acting: Acting, { id, email }: User): Promise<boolean> {
  const eventId = await acting.recordIds.next();
  return await acting.sql.begin(async (tx) => {
    const released = await releaseTries(tx, { id, emailKey: emailKeyOf(email) });
    if (released === 0) return false;
    await noteUser(tx, acting, { eventId, userId: id, type: 'user.released' });
    return true;
  });
}

/** Ends all sessions of a user. Returns their number. */
export async function signOutUser(acting: Acting, { id }: User): Promise<number> {
  const eventId = await acting.recordIds.next();
  return await acting.sql.begin(async (tx) => {
    const ended = await tx`delete from user_sessions where user_id = ${id} returning 1`;
    if (ended.length === 0) return 0;
    const data = { sessions: ended.length };
    await noteUser(tx, acting, { eventId, userId: id, type: 'user.signed_out', data });
    return ended.length;
  });
}

export async function changeLang(
  acting: Acting,
  { userId, lang }: { userId: number; lang: 'es' | 'en' },
): Promise<void> {
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    const [user] = await tx<{ lang: string }[]>`
      select lang from users where id = ${userId} for update`;
    if (!user || user.lang === lang) return;
    await tx`update users set lang = ${lang}, version = version + 1 where id = ${userId}`;
    const data = { lang, before: { lang: user.lang } };
    await noteUser(tx, acting, { eventId, userId, type: 'user.changed', data });
  });
}
