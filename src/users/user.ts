import { isEmail } from '../kernel/email.ts';
import { directionControl, hasControl, lengthOf } from '../kernel/text.ts';
import type { Acting } from '../platform/base.ts';
import { Refusal } from '../platform/errors.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { AccountRole, ServiceRole } from './acts.ts';
import { addMember } from './memberships.ts';
import { noteUser } from './note.ts';
import type { Hasher, PasswordFault } from './password.ts';
import { longestPassword, passwordFault, shortestPassword } from './password.ts';

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
}

export interface NewUser {
  email: string;
  name: string;
  lang: 'es' | 'en';
  serviceRole: ServiceRole | null;
  /** Null: the person chooses one, by an invitation. */
  password: string | null;
  /** The account that he works for from now on, if it is one. */
  membership: { accountId: string; role: AccountRole } | null;
}

/** One person's address of mail, however it is written. */
export const emailKeyOf = (email: string): string => email.trim().toLowerCase();

export const userColumns = (sql: Queryable): ReturnType<Queryable> => sql`
  u.id, u.email, u.name, u.lang, u.state, u.service_role, u.created_at, u.version`;

const longestName = 100;

const faultTexts: Record<PasswordFault, string> = {
  short: `The password must have at least ${shortestPassword} characters.`,
  long: `The password must have at most ${longestPassword} characters.`,
  common: 'The password is one of the most common ones, or nearly so.',
  own: 'The password must not hold the name of the e-mail address.',
};

/** 400 for a password that a person must not have. */
export function refusePassword(password: string, email: string): void {
  const fault = passwordFault(password, email);
  if (fault !== null) throw new Refusal('invalid', faultTexts[fault]);
}

export function nameFault(name: string): 'length' | 'characters' | null {
  if (name.trim() === '' || lengthOf(name) > longestName) return 'length';
  const strange = directionControl(name) !== null || hasControl(name, { lineBreaks: false });
  return strange ? 'characters' : null;
}

function refuseUser({ email, name, password }: NewUser): void {
  if (!isEmail(email)) throw new Refusal('invalid', 'This is not an e-mail address.');
  if (nameFault(name) !== null) {
    throw new Refusal('invalid', `A name must be one line of 1 to ${longestName} characters.`);
  }
  if (password !== null) refusePassword(password, email);
}

/** Makes a person known; whoever has no password yet is invited. 409 where the address is taken. */
export async function createUser(acting: Acting, hasher: Hasher, input: NewUser): Promise<User> {
  refuseUser(input);
  const { email, name, lang, serviceRole, password, membership } = input;
  const passwordHash = password === null ? null : await hasher.hash(password);
  const [id = 0, eventId = 0, joined = 0] = await acting.recordIds.take(3);
  const user: User = {
    id,
    email: email.trim(),
    name: name.trim(),
    lang,
    state: password === null ? 'invited' : 'active',
    service_role: serviceRole,
    created_at: acting.clocks.wall.now(),
    version: 1,
  };
  await acting.sql.begin(async (tx) => {
    const rows = await tx`
      insert into users (id, email, email_key, name, lang, state, service_role, password_hash,
        created_at)
      values (${id}, ${user.email}, ${emailKeyOf(email)}, ${user.name}, ${lang}, ${user.state},
        ${serviceRole}, ${passwordHash}, ${user.created_at}::timestamptz)
      on conflict (email_key) do nothing returning id`;
    if (rows.length === 0) {
      throw new Refusal('conflict', 'There is a user with this e-mail address.');
    }
    const data = { service_role: serviceRole };
    await noteUser(tx, acting, { eventId, userId: id, type: 'user.created', data });
    if (membership === null) return;
    const state = user.state === 'active' ? 'active' : 'invited';
    await addMember(tx, acting, { ...membership, userId: id, state, eventId: joined });
  });
  return user;
}

export async function findUser(sql: Queryable, email: string): Promise<User | null> {
  const [user] = await sql<User[]>`
    select ${userColumns(sql)} from users u where u.email_key = ${emailKeyOf(email)}`;
  return user ?? null;
}
