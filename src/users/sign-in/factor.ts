import { hash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Acting } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { countUpTo } from '../../platform/postgres/count.ts';
import type { Encrypted, Vault } from '../../platform/vault.ts';
import { refusal } from '../codes.ts';
import { noteUser } from '../note.ts';
import { notifyUser } from '../notify.ts';
import type { User } from '../user.ts';

/** Validity of a TOTP code (RFC 6238). */
const periodSeconds = 30;
/** Phones' clocks differ, so accept the codes of adjacent periods too. */
const tolerated = 1;
const recoveryCodes = 10;

const contextOf = (userId: number): string => `totp of user ${userId}`;

const generatorOf = (secret: string, email: string): TOTP =>
  new TOTP({
    issuer: 'Recaudo',
    label: email,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  });

/** The data for an authenticator app. */
export interface Enrolment {
  secret: string;
  uri: string;
}

const enrolmentOf = (secret: string, email: string): Enrolment => ({
  secret,
  uri: generatorOf(secret, email).toString(),
});

interface Stored {
  totp_key_id: string | null;
  totp_ciphertext: Buffer | null;
  totp_since: Temporal.Instant | null;
}

const encryptedOf = ({ totp_key_id: keyId, totp_ciphertext: ciphertext }: Stored) =>
  keyId === null || ciphertext === null ? null : { keyId, ciphertext };

async function readStored(
  sql: Queryable,
  userId: number,
  { holds = false }: { holds?: boolean } = {},
): Promise<Stored | null> {
  const [row] = await sql<Stored[]>`
    select totp_key_id, totp_ciphertext, totp_since from users where id = ${userId}
    ${holds ? sql`for no key update` : sql``}`;
  return row ?? null;
}

/**
 * Creates a TOTP secret, and replaces one that never became active. The first correct code
 * activates it. Throws 409 if one is already active.
 */
export async function beginFactor(acting: Acting, vault: Vault, user: User): Promise<void> {
  const secret = new Secret({ size: 20 }).base32;
  const { keyId, ciphertext } = vault.encrypt(secret, contextOf(user.id));
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    const begun = await tx`
      update users set totp_key_id = ${keyId}, totp_ciphertext = ${ciphertext}, totp_step = 0,
        version = version + 1
      where id = ${user.id} and totp_since is null returning id`;
    if (begun.length === 0) throw refusal('user.factor_exists', {});
    await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.factor_begun' });
  });
}

/** Returns the secret that awaits its first code, or null. */
export async function pendingFactor(
  sql: Queryable,
  vault: Vault,
  user: User,
): Promise<Enrolment | null> {
  const stored = await readStored(sql, user.id);
  const encrypted = stored && encryptedOf(stored);
  if (!stored || !encrypted || stored.totp_since !== null) return null;
  return enrolmentOf(vault.decrypt(encrypted, contextOf(user.id)), user.email);
}

interface Given {
  user: Pick<User, 'id' | 'email'>;
  code: string;
  now: Temporal.Instant;
  /** True to accept an inactive secret, which its first code activates. */
  isFirst?: boolean;
}

/**
 * Consumes a TOTP code. Returns false if it is wrong or used. Each counts once, even in concurrent
 * calls.
 */
async function takeTimed(tx: Queryable, vault: Vault, given: Given): Promise<boolean> {
  const { user, code, now, isFirst = false } = given;
  // Locked, so that the code is compared with the current secret.
  const stored = await readStored(tx, user.id, { holds: true });
  const encrypted = stored && encryptedOf(stored);
  if (!encrypted || (stored.totp_since === null && !isFirst)) return false;
  const generator = generatorOf(vault.decrypt(encrypted, contextOf(user.id)), user.email);
  const timestamp = now.epochMilliseconds;
  const delta = generator.validate({ token: code, timestamp, window: tolerated });
  if (delta === null) return false;
  const step = generator.counter({ timestamp }) + delta;
  const taken = await tx`
    update users set totp_step = ${step} where id = ${user.id} and totp_step < ${step}
    returning id`;
  return taken.length > 0;
}

const plainCode = (code: string): string => code.toUpperCase().replace(/[^A-Z2-7]/g, '');
const hashOf = (code: string): Buffer => hash('sha256', plainCode(code), 'buffer');

async function takeRecovery(tx: Queryable, { user, code, now }: Given): Promise<boolean> {
  const taken = await tx`
    update user_recovery_codes set used_at = ${now}::timestamptz
    where user_id = ${user.id} and hash = ${hashOf(code)} and used_at is null returning user_id`;
  return taken.length > 0;
}

/**
 * Consumes a code of either kind, in the transaction that it authorizes. Returns false if it is
 * wrong or used.
 */
export const takeCode = async (tx: Queryable, vault: Vault, given: Given): Promise<boolean> =>
  /^\d{6}$/.test(given.code.trim())
    ? await takeTimed(tx, vault, { ...given, code: given.code.trim() })
    : await takeRecovery(tx, given);

/** Draws a recovery code: 80 bits in groups of four. */
const drawCode = (): string =>
  (
    new Secret({ buffer: Uint8Array.from(randomBytes(10)).buffer }).base32.match(/.{4}/g) ?? []
  ).join('-');

/** Replaces a user's recovery codes. Returns the new ones, of which only hashes are stored. */
export async function makeRecoveryCodes(tx: Queryable, userId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, drawCode);
  await tx`delete from user_recovery_codes where user_id = ${userId}`;
  await tx`
    insert into user_recovery_codes (user_id, hash)
    select ${userId}, hash from unnest(${codes.map(hashOf)}::bytea[]) as c (hash)`;
  return codes;
}

/**
 * `codes` are the recovery codes created with the first factor. Null if the user has some already.
 */
export type Confirmed = { kind: 'added'; codes: string[] | null } | { kind: 'wrong' };

/** Activates the second factor if the code is right. Throws 409 if it is already active. */
export async function confirmFactor(
  acting: Acting,
  vault: Vault,
  { user, code }: { user: User; code: string },
): Promise<Confirmed> {
  const [eventId = 0, mailId = 0] = await acting.recordIds.take(2);
  const now = acting.clocks.wall.now();
  return await acting.sql.begin(async (tx) => {
    const given = { user, code: code.trim(), now, isFirst: true };
    if (!(await takeTimed(tx, vault, given))) return { kind: 'wrong' };
    const made = await tx`
      update users set totp_since = ${now}::timestamptz, version = version + 1
      where id = ${user.id} and totp_since is null returning id`;
    if (made.length === 0) throw refusal('user.factor_exists', {});
    const passkeys = await tx`select 1 from user_passkeys where user_id = ${user.id} limit 1`;
    const codes = passkeys.length === 0 ? await makeRecoveryCodes(tx, user.id) : null;
    await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.factor_added' });
    await notifyUser(tx, user, { what: 'factor_added' }, { mailId, now });
    return { kind: 'added', codes };
  });
}

/**
 * Removes a user's TOTP. `all` removes passkeys too, for operators who help someone who lost
 * everything. Recovery codes go with the last factor. Returns false if there was none.
 */
export async function removeFactor(
  acting: Acting,
  user: User,
  { all = false }: { all?: boolean } = {},
): Promise<boolean> {
  const [eventId = 0, mailId = 0] = await acting.recordIds.take(2);
  const now = acting.clocks.wall.now();
  return await acting.sql.begin(async (tx) => {
    const gone = await tx`
      update users set totp_since = null, totp_key_id = null, totp_ciphertext = null,
        version = version + 1
      where id = ${user.id} and totp_ciphertext is not null returning id`;
    const passkeys = all ? await tx`delete from user_passkeys where user_id = ${user.id}` : null;
    if (gone.length === 0 && !passkeys?.count) return false;
    await tx`
      delete from user_recovery_codes where user_id = ${user.id}
        and not exists (select 1 from user_passkeys where user_id = ${user.id})`;
    const data = { passkeys: passkeys?.count ?? 0 };
    await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.factor_removed', data });
    await notifyUser(tx, user, { what: 'factor_removed' }, { mailId, now });
    return true;
  });
}

/** Re-encrypts second factors' secrets under the vault's current key. Returns their number. */
export async function rewrapFactors(acting: Acting, vault: Vault): Promise<number> {
  const rows = await acting.sql<{ id: number; totp_key_id: string; totp_ciphertext: Buffer }[]>`
    select id, totp_key_id, totp_ciphertext from users
    where totp_key_id <> ${vault.keyId()} order by id`;
  let changed = 0;
  for (const { id, totp_key_id: keyId, totp_ciphertext: ciphertext } of rows) {
    const before: Encrypted = { keyId, ciphertext };
    const fresh = vault.encrypt(vault.decrypt(before, contextOf(id)), contextOf(id));
    const eventId = await acting.recordIds.next();
    changed += await acting.sql.begin(async (tx) => {
      const { count } = await tx`
        update users set totp_key_id = ${fresh.keyId}, totp_ciphertext = ${fresh.ciphertext}
        where id = ${id} and totp_ciphertext = ${ciphertext}`;
      if (count === 0) return 0;
      await noteUser(tx, acting, { eventId, userId: id, type: 'user.factor_rewrapped' });
      return 1;
    });
  }
  return changed;
}

/** Counts secrets under any key but this one, up to `most`. */
export const countFactorsUnderOtherKeys = (
  sql: Queryable,
  keyId: string,
  most: number,
): Promise<number> => countUpTo(sql, most, sql`select 1 from users where totp_key_id <> ${keyId}`);
