import type { Acting, Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import { noteUser } from '../note.ts';
import { notifyUser } from '../notify.ts';
import { nameFault, type User } from '../user.ts';
import { challengeMs, drawChallenge, takeChallenge } from './challenges.ts';
import { makeRecoveryCodes } from './factor.ts';
import {
  answerIn,
  checkAdded,
  type NewCredential,
  type Site,
  verifyPasskey,
} from './passkey-answers.ts';
import type { SignedIn } from './sessions.ts';

export interface Passkey {
  id: number;
  name: string;
  created_at: Temporal.Instant;
  used_at: Temporal.Instant | null;
}

const mostPasskeys = 10;

export const listPasskeys = async (sql: Queryable, userId: number): Promise<Passkey[]> =>
  await sql<Passkey[]>`
    select id, name, created_at, used_at from user_passkeys where user_id = ${userId} order by id`;

interface Known {
  id: string;
  transports: string[];
}

async function knownTo(sql: Queryable, userId: number): Promise<Known[]> {
  const rows = await sql<{ credential_id: Buffer; transports: string[] }[]>`
    select credential_id, transports from user_passkeys where user_id = ${userId} order by id`;
  return rows.map((row) => ({
    id: row.credential_id.toString('base64url'),
    transports: row.transports,
  }));
}

const named = (known: readonly Known[]) =>
  known.map(({ id, transports }) => ({ type: 'public-key' as const, id, transports }));

/** EdDSA, ES256 and RS256: the library's defaults. */
const algorithms = [-8, -7, -257];

/** Returns the options for creating a passkey in this session. Their challenge works once. */
export const askToAdd =
  ({ sql, clocks }: Pick<Base, 'sql' | 'clocks'>, site: Site) =>
  async ({ session, user }: SignedIn) => {
    const [known, challenge] = await Promise.all([
      knownTo(sql, user.id),
      drawChallenge(sql, { sessionId: session.id, purpose: 'add' }, clocks.wall.now()),
    ]);
    return {
      rp: { id: site.id, name: 'Recaudo' },
      user: {
        id: Buffer.from(String(user.id)).toString('base64url'),
        name: user.email,
        displayName: user.name,
      },
      challenge: challenge.toString('base64url'),
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout: challengeMs,
      attestation: 'none' as const,
      excludeCredentials: named(known),
      authenticatorSelection: {
        residentKey: 'preferred' as const,
        userVerification: 'required' as const,
      },
    };
  };

/** Returns the options for using a passkey in this session. Their challenge works once. */
export const askToShow =
  ({ sql, clocks }: Pick<Base, 'sql' | 'clocks'>, site: Site) =>
  async ({ session, user }: SignedIn) => {
    const [known, challenge] = await Promise.all([
      knownTo(sql, user.id),
      drawChallenge(sql, { sessionId: session.id, purpose: 'show' }, clocks.wall.now()),
    ]);
    return {
      rpId: site.id,
      challenge: challenge.toString('base64url'),
      timeout: challengeMs,
      allowCredentials: named(known),
      userVerification: 'required' as const,
    };
  };

export type Added = { kind: 'added'; codes: string[] | null } | { kind: 'wrong' };

/** Locks a user's factors until the transaction ends. Returns whether they have TOTP. */
async function lockFactors(tx: Queryable, userId: number): Promise<{ hasCodes: boolean }> {
  const [user] = await tx<{ totp_since: Temporal.Instant | null }[]>`
    select totp_since from users where id = ${userId} for no key update`;
  return { hasCodes: Boolean(user?.totp_since) };
}

/**
 * Adds a passkey created in this session. A user's first second factor comes with recovery codes,
 * shown once. Throws 409 at the maximum, or if it is already registered.
 */
export const addPasskey =
  (base: Base, site: Site) =>
  async ({ session, user }: SignedIn, input: { name: string; answer: string }): Promise<Added> => {
    const { sql, clocks, recordIds } = base;
    const now = clocks.wall.now();
    const name = input.name.trim();
    const challenge = await takeChallenge(sql, { sessionId: session.id, purpose: 'add' }, now);
    if (challenge === null || nameFault(name) !== null) return { kind: 'wrong' };
    const made = await checkAdded(site, challenge, input.answer);
    if (made === null) return { kind: 'wrong' };
    const [id = 0, eventId = 0, mailId = 0] = await recordIds.take(3);
    const acting = { clocks, actor: { kind: 'user', id: user.id } } as const;
    return await sql.begin(async (tx) => {
      const { hasCodes } = await lockFactors(tx, user.id);
      const before = await listPasskeys(tx, user.id);
      if (before.length >= mostPasskeys) {
        throw refusal('passkey.limit_reached', { most: mostPasskeys });
      }
      await insertPasskey(tx, { ...made, id, name, userId: user.id, now });
      const isFirst = before.length === 0 && !hasCodes;
      const codes = isFirst ? await makeRecoveryCodes(tx, user.id) : null;
      const data = { passkey: id };
      await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.passkey_added', data });
      await notifyUser(tx, user, { what: 'passkey_added', name }, { mailId, now });
      return { kind: 'added', codes };
    });
  };

interface NewPasskey extends NewCredential {
  id: number;
  userId: number;
  name: string;
  now: Temporal.Instant;
}

async function insertPasskey(tx: Queryable, one: NewPasskey): Promise<void> {
  const rows = await tx`
    insert into user_passkeys (user_id, id, credential_id, public_key, counter, transports, name,
      created_at)
    values (${one.userId}, ${one.id}, ${one.credentialId}, ${one.publicKey}, ${one.counter},
      ${one.transports}::text[], ${one.name}, ${one.now}::timestamptz)
    on conflict (credential_id) do nothing returning id`;
  if (rows.length === 0) throw refusal('passkey.taken', {});
}

/** A passkey with a valid signature. Its counter decides acceptance. */
export interface VerifiedPasskey {
  id: number;
  name: string;
  counter: number;
}

/**
 * Verifies a passkey's signature in this session, and consumes the challenge. Returns null if it is
 * not valid.
 */
export async function readPasskeyUse(
  { sql, clocks }: Pick<Base, 'sql' | 'clocks'>,
  site: Site,
  { session, user }: SignedIn,
  text: string,
): Promise<VerifiedPasskey | null> {
  const of = { sessionId: session.id, purpose: 'show' } as const;
  const challenge = await takeChallenge(sql, of, clocks.wall.now());
  const answer = answerIn(text);
  if (challenge === null || answer === null) return null;
  const [one] = await sql<{ id: number; name: string; public_key: Buffer }[]>`
    select id, name, public_key from user_passkeys
    where credential_id = ${Buffer.from(answer.id, 'base64url')} and user_id = ${user.id}`;
  if (!one) return null;
  const verified = await verifyPasskey(site, challenge, { publicKey: one.public_key, text });
  return verified && { id: one.id, name: one.name, counter: verified.counter };
}

/**
 * Accepts a passkey in the transaction that it authorizes. An authenticator's counter rises with
 * each use, or is always 0. Otherwise the passkey was probably copied: returns false and notifies
 * its owner.
 */
export async function takePasskey(
  tx: Queryable,
  clocks: Base['clocks'],
  user: User,
  { shown: verified, ids }: { shown: VerifiedPasskey; ids: { eventId: number; mailId: number } },
): Promise<boolean> {
  const now = clocks.wall.now();
  const { id, name, counter } = verified;
  const taken = await tx`
    update user_passkeys set counter = ${counter}, used_at = ${now}::timestamptz
    where user_id = ${user.id} and id = ${id}
      and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0)) returning id`;
  if (taken.length > 0) return true;
  const acting = { clocks, actor: { kind: 'user', id: user.id } } as const;
  const { eventId, mailId } = ids;
  const data = { passkey: id };
  await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.passkey_refused', data });
  await notifyUser(tx, user, { what: 'passkey_refused', name }, { mailId, now });
  return false;
}

/**
 * Removes a passkey, and with the last factor the recovery codes. Returns false if there is none.
 */
export async function removePasskey(acting: Acting, user: User, id: number): Promise<boolean> {
  const [eventId = 0, mailId = 0] = await acting.recordIds.take(2);
  const now = acting.clocks.wall.now();
  return await acting.sql.begin(async (tx) => {
    await lockFactors(tx, user.id);
    const [gone] = await tx<{ name: string }[]>`
      delete from user_passkeys where user_id = ${user.id} and id = ${id} returning name`;
    if (!gone) return false;
    await tx`
      delete from user_recovery_codes c using users u
      where c.user_id = ${user.id} and u.id = c.user_id and u.totp_since is null
        and not exists (select 1 from user_passkeys p where p.user_id = u.id)`;
    const data = { passkey: id };
    await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.passkey_removed', data });
    await notifyUser(tx, user, { what: 'passkey_removed', name: gone.name }, { mailId, now });
    return true;
  });
}
