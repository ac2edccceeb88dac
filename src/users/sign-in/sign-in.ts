import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordAccess } from '../accesses.ts';
import { noteUser } from '../note.ts';
import { notifyUser } from '../notify.ts';
import { emailKeyOf, findUser, hasFactor } from '../user.ts';
import { isKnownDevice, rememberDevice } from './devices.ts';
import type { Hasher } from './password.ts';
import type { SignInRules } from './rules.ts';
import { type Browser, openSession } from './sessions.ts';
import { countTry, forgiveTries } from './tries.ts';

export interface SignIn {
  email: string;
  password: string;
  browser: Browser;
  /** The secret of a known device, or null. */
  device?: string | null;
  /** The caller's network, which has its own limit of attempts. */
  network: string;
}

export type SignInOutcome =
  /** `factorDue`: no rights before the second factor. */
  | {
      kind: 'in';
      secret: string;
      factorDue: boolean;
      /** A new device's secret. Null if it was known. */
      device: string | null;
    }
  | { kind: 'wrong' }
  | { kind: 'too_many'; seconds: number };

export interface Known {
  id: number;
  state: string;
  totp_since: Temporal.Instant | null;
  has_passkey: boolean;
  is_linked: boolean;
  password_hash: string | null;
}

export const readKnown = async (sql: Queryable, person: string): Promise<Known | null> => {
  const [known = null] = await sql<Known[]>`
    select u.id, u.state, u.totp_since, u.password_hash,
      exists (select 1 from user_passkeys p where p.user_id = u.id) as has_passkey,
      exists (select 1 from user_identities i where i.user_id = u.id) as is_linked
    from users u where u.email_key = ${person}`;
  return known;
};

/**
 * Reads the user again under lock, so that a sign-in sees a concurrent change of password, factors
 * or standing.
 */
async function holdKnown(tx: Queryable, { id }: Known, person: string): Promise<Known | null> {
  await tx`select 1 from users where id = ${id} for share`;
  return await readKnown(tx, person);
}

/**
 * Returns the hash of the user's password if it may sign them in or prove their identity, else null.
 * If the provider asks
 * for second factors, a linked user without one here may not sign in with it, because that would
 * bypass the provider's second factor.
 */
export function passwordOf(known: Known | null, { providerFactors }: SignInRules): string | null {
  if (known?.state !== 'active') return null;
  const goesAround = providerFactors && known.is_linked && !hasFactor(known);
  return goesAround ? null : known.password_hash;
}

/** Records a failed attempt, and emails the person whom it locks out. */
async function noteFailure(
  base: Base,
  { person, address }: { person: string; address: string },
  { kind, begins }: { kind: 'sign_in_failed' | 'sign_in_waits'; begins: boolean },
): Promise<void> {
  const user = await findUser(base.sql, person);
  const userId = user?.id ?? null;
  await recordAccess(base)({ kind, accountId: null, userId, address, detail: 'password' });
  if (!begins || user?.state !== 'active') return;
  const mailId = await base.recordIds.next();
  const now = base.clocks.wall.now();
  await base.sql.begin((tx) => notifyUser(tx, user, { what: 'sign_in_waits' }, { mailId, now }));
}

/**
 * Signs in by email and password. Takes as long for an unknown email as for a wrong password, so
 * that the time does not reveal which emails exist.
 */
export const signIn =
  (base: Base, { hasher, rules }: { hasher: Hasher; rules: SignInRules }) =>
  async ({
    email,
    password,
    browser,
    device: presented = null,
    network,
  }: SignIn): Promise<SignInOutcome> => {
    if (!rules.passwords) return { kind: 'wrong' };
    const { sql, clocks, recordIds } = base;
    const now = clocks.wall.now();
    const person = emailKeyOf(email);
    const isKnown = await isKnownDevice(sql, { person, device: presented });
    const device = isKnown ? presented : null;
    const tried = { address: network, person, open: { device } };
    const wait = await countTry(sql, tried, { now, rules });
    const failed = { person, address: browser.address };
    if (wait !== null) {
      await noteFailure(base, failed, { kind: 'sign_in_waits', begins: wait.begins });
      return { kind: 'too_many', seconds: wait.seconds };
    }
    const known = await readKnown(sql, person);
    const stored = passwordOf(known, rules);
    const isRight = await hasher.matches(
      password,
      stored,
      device === null ? network : `device ${device}`,
    );
    if (!isRight || known === null) {
      await noteFailure(base, failed, { kind: 'sign_in_failed', begins: false });
      return { kind: 'wrong' };
    }
    const { id: userId } = known;
    const [id = 0, eventId = 0] = await recordIds.take(2);
    return await sql.begin(async (tx): Promise<SignInOutcome> => {
      const locked = await holdKnown(tx, known, person);
      // The password may have changed since the check.
      if (locked === null || passwordOf(locked, rules) !== stored) return { kind: 'wrong' };
      const factorDue = hasFactor(locked);
      const secret = await openSession(tx, { id, userId, browser, factorDue }, now);
      await forgiveTries(tx, tried, rules);
      const fresh = await rememberDevice(tx, { userId, device: presented }, now);
      const acting = { clocks, actor: { kind: 'user', id: userId } } as const;
      const data = { session: id, address: browser.address, factor_due: factorDue };
      await noteUser(tx, acting, { eventId, userId, type: 'user.signed_in', data });
      return { kind: 'in', secret, factorDue, device: fresh };
    });
  };
