import { isEmail } from '../kernel/email.ts';
import { directionControl, hasControl, lengthOf } from '../kernel/text.ts';
import type { Acting } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { AccountRole, ServiceRole } from './acts.ts';
import { refusal } from './codes.ts';
import { addMember } from './memberships.ts';
import { noteUser } from './note.ts';
import type { Hasher } from './sign-in/password.ts';
import {
  longestPassword,
  passwordFault,
  rememberedPasswords,
  shortestPassword,
} from './sign-in/password.ts';

export const userStates = ['invited', 'active', 'suspended'] as const;
export type UserState = (typeof userStates)[number];

export interface User {
  id: number;
  email: string;
  name: string;
  lang: 'es' | 'en';
  state: UserState;
  service_role: ServiceRole | null;
  created_at: Temporal.Instant;
  version: number;
  /** When their TOTP became active. Null if they have none. */
  totp_since: Temporal.Instant | null;
  has_passkey: boolean;
}

export const hasFactor = ({ totp_since, has_passkey }: Pick<User, 'totp_since' | 'has_passkey'>) =>
  totp_since !== null || has_passkey;

export interface NewUser {
  email: string;
  name: string;
  lang: 'es' | 'en';
  serviceRole: ServiceRole | null;
  password: string;
  membership: { accountId: string; role: AccountRole } | null;
}

/** Normalizes an email address, so that each person has one key. */
export const emailKeyOf = (email: string): string => email.trim().toLowerCase();

export const userColumns = (sql: Queryable): ReturnType<Queryable> => sql`
  u.id, u.email, u.name, u.lang, u.state, u.service_role, u.created_at, u.version,
  u.totp_since, exists (select 1 from user_passkeys p where p.user_id = u.id) as has_passkey`;

export const userIn = (row: User): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  lang: row.lang,
  state: row.state,
  service_role: row.service_role,
  created_at: row.created_at,
  version: row.version,
  totp_since: row.totp_since,
  has_passkey: row.has_passkey,
});

export const longestName = 100;

const passwordRefusals = {
  short: () => refusal('password.short', { least: shortestPassword }),
  long: () => refusal('password.long', { most: longestPassword }),
  common: () => refusal('password.common', {}),
  own: () => refusal('password.own', {}),
};

/** Hashes of a user's passwords, the current one first. Null before the first. */
export interface KnownHashes {
  password_hash: string | null;
  former_hashes: string[];
}

export async function readHashes(sql: Queryable, userId: number): Promise<KnownHashes> {
  const [row] = await sql<KnownHashes[]>`
    select password_hash, former_hashes from users where id = ${userId}`;
  return row ?? { password_hash: null, former_hashes: [] };
}

/** Sets a user's password, remembers the former ones, and activates the user. */
export const writePassword = (tx: Queryable, userId: number, hash: string) => tx`
  update users set password_hash = ${hash}, state = 'active', version = version + 1,
    former_hashes = (array_remove(array[password_hash], null)
      || former_hashes)[1:${rememberedPasswords - 1}]
  where id = ${userId}`;

/** Throws 400 for one of the user's recent passwords. */
export async function refuseUsedPassword(
  { hasher, queue }: { hasher: Hasher; queue: string },
  { password_hash: own, former_hashes: former }: KnownHashes,
  password: string,
): Promise<void> {
  for (const hash of [...(own === null ? [] : [own]), ...former]) {
    if (await hasher.matches(password, hash, queue)) {
      throw refusal('password.used', {});
    }
  }
}

/** Throws 400 for a forbidden password. */
export function refusePassword(password: string, email: string): void {
  const fault = passwordFault(password, email);
  if (fault !== null) throw passwordRefusals[fault]();
}

export function nameFault(name: string): 'length' | 'characters' | null {
  if (name.trim() === '' || lengthOf(name) > longestName) return 'length';
  const strange = directionControl(name) !== null || hasControl(name, { lineBreaks: false });
  return strange ? 'characters' : null;
}

/** Throws 400 for invalid user data. */
export function refuseUser({
  email,
  name,
  password,
}: Pick<NewUser, 'email' | 'name'> & { password: string | null }): void {
  if (!isEmail(email)) throw refusal('user.email_invalid', {});
  if (nameFault(name) !== null) throw refusal('user.name_invalid', { most: longestName });
  if (password !== null) refusePassword(password, email);
}

interface FreshUser extends Pick<NewUser, 'email' | 'name' | 'lang' | 'serviceRole'> {
  id: number;
  /** Null for an invited person, who chooses one later. */
  passwordHash: string | null;
}

/** Inserts a user within a transaction. Throws 409 if the address is taken. */
export async function writeUser(
  tx: Queryable,
  acting: Pick<Acting, 'clocks' | 'actor'>,
  { id, email, name, lang, serviceRole, passwordHash }: FreshUser,
  eventId: number,
): Promise<User> {
  const user: User = {
    id,
    email: email.trim(),
    name: name.trim(),
    lang,
    state: passwordHash === null ? 'invited' : 'active',
    service_role: serviceRole,
    created_at: acting.clocks.wall.now(),
    version: 1,
    totp_since: null,
    has_passkey: false,
  };
  const rows = await tx`
    insert into users (id, email, email_key, name, lang, state, service_role, password_hash,
      created_at)
    values (${id}, ${user.email}, ${emailKeyOf(email)}, ${user.name}, ${lang}, ${user.state},
      ${serviceRole}, ${passwordHash}, ${user.created_at}::timestamptz)
    on conflict (email_key) do nothing returning id`;
  if (rows.length === 0) throw refusal('user.email_taken', {});
  const data = { service_role: serviceRole };
  await noteUser(tx, acting, { eventId, userId: id, type: 'user.created', data });
  return user;
}

/** Creates an active user with a password, and a membership if one is given. */
export async function createUser(acting: Acting, hasher: Hasher, input: NewUser): Promise<User> {
  refuseUser(input);
  const { password, membership, ...rest } = input;
  const passwordHash = await hasher.hash(password, 'service');
  const [id = 0, eventId = 0, joined = 0] = await acting.recordIds.take(3);
  return await acting.sql.begin(async (tx) => {
    const user = await writeUser(tx, acting, { ...rest, id, passwordHash }, eventId);
    if (membership !== null) {
      const member = { ...membership, userId: id, state: 'active' as const };
      await addMember(tx, acting, { ...member, eventId: joined });
    }
    return user;
  });
}

export async function findUser(sql: Queryable, email: string): Promise<User | null> {
  const [user] = await sql<User[]>`
    select ${userColumns(sql)} from users u where u.email_key = ${emailKeyOf(email)}`;
  return user ?? null;
}
