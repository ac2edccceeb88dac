import { noteOperator } from '../events/index.ts';
import type { Acting } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { countUpTo } from '../platform/postgres/count.ts';
import type { Encrypted } from '../platform/vault.ts';

export interface KeyNote {
  /** Allocated before rows are locked. */
  eventId: number;
  purpose: KeyPurpose;
  no: number;
  change: 'created' | 'retired' | 'rewrapped';
}

export const noteKey = (
  tx: Queryable,
  acting: Pick<Acting, 'clocks' | 'actor'>,
  { eventId, purpose, no, change }: KeyNote,
): Promise<void> => {
  const entity = 'service_key';
  const type = `${entity}.${change}`;
  return noteOperator(tx, acting, { eventId, entity, entityId: `${purpose} ${no}`, type });
};

export const keyPurposes = ['links', 'webhooks'] as const;
export type KeyPurpose = (typeof keyPurposes)[number];

/** A stored key, encrypted until it is retired. */
export interface KeyRow {
  purpose: KeyPurpose;
  no: number;
  vault_key_id: string | null;
  ciphertext: Buffer | null;
  used_from: Temporal.Instant;
  replaced_at: Temporal.Instant | null;
  look_at: Temporal.Instant | null;
  retired_at: Temporal.Instant | null;
}

/** Returns all keys of a purpose, including retired ones, newest first. */
export const readKeys = (sql: Queryable, purpose: KeyPurpose): Promise<KeyRow[]> =>
  sql<KeyRow[]>`
    select purpose, no, vault_key_id, ciphertext, used_from, replaced_at, look_at, retired_at
    from service_keys where purpose = ${purpose} order by no desc`;

/** Inserts a key. Returns false if another process already did. */
export async function insertKey(
  sql: Queryable,
  key: { purpose: KeyPurpose; no: number; usedFrom: Temporal.Instant } & Encrypted,
): Promise<boolean> {
  const rows = await sql`
    insert into service_keys (purpose, no, vault_key_id, ciphertext, used_from)
    values (${key.purpose}, ${key.no}, ${key.keyId}, ${key.ciphertext},
      ${key.usedFrom}::timestamptz)
    on conflict (purpose, no) do nothing returning no`;
  return rows.length > 0;
}

/** Marks keys before `no` as replaced: they sign nothing new. Schedules their next check. */
export async function noteReplaced(
  sql: Queryable,
  { purpose, no }: { purpose: KeyPurpose; no: number },
  { at, lookAt }: { at: Temporal.Instant; lookAt: Temporal.Instant },
): Promise<void> {
  await sql`
    update service_keys set replaced_at = ${at}::timestamptz, look_at = ${lookAt}::timestamptz
    where purpose = ${purpose} and no < ${no} and replaced_at is null and retired_at is null`;
}

/** Erases the keys from `from` to `upTo`. Returns the numbers of those that still existed. */
export async function retireKeys(
  sql: Queryable,
  { purpose, from, upTo }: { purpose: KeyPurpose; from: number; upTo: number },
  now: Temporal.Instant,
): Promise<number[]> {
  const rows = await sql<{ no: number }[]>`
    update service_keys set ciphertext = null, vault_key_id = null, look_at = null,
      retired_at = ${now}::timestamptz
    where purpose = ${purpose} and no between ${from} and ${upTo} and retired_at is null
    returning no`;
  return rows.map((row) => row.no);
}

/** Returns the replaced keys that are due for a check. */
export const readLookedAt = (sql: Queryable, now: Temporal.Instant): Promise<KeyRow[]> =>
  sql<KeyRow[]>`
    select purpose, no, vault_key_id, ciphertext, used_from, replaced_at, look_at, retired_at
    from service_keys where look_at <= ${now}::timestamptz order by look_at`;

export async function nextLook(sql: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await sql<{ due: Temporal.Instant | null }[]>`
    select min(look_at) as due from service_keys`;
  return row?.due ?? null;
}

export async function postponeLook(
  sql: Queryable,
  { purpose, no }: { purpose: KeyPurpose; no: number },
  lookAt: Temporal.Instant,
): Promise<void> {
  await sql`
    update service_keys set look_at = ${lookAt}::timestamptz
    where purpose = ${purpose} and no = ${no} and retired_at is null`;
}

/** Re-encrypts a key. Returns false if it has changed since it was read. */
export async function replaceEncrypted(
  sql: Queryable,
  row: KeyRow,
  { keyId, ciphertext }: Encrypted,
): Promise<boolean> {
  const { count } = await sql`
    update service_keys set vault_key_id = ${keyId}, ciphertext = ${ciphertext}
    where purpose = ${row.purpose} and no = ${row.no} and ciphertext = ${row.ciphertext}`;
  return count > 0;
}

/**
 * Locks a key until the transaction ends, so that it cannot be retired. Returns false if it already
 * was.
 */
export async function lockServiceKey(
  tx: Queryable,
  { purpose, no }: { purpose: KeyPurpose; no: number },
): Promise<boolean> {
  const rows = await tx`
    select 1 from service_keys
    where purpose = ${purpose} and no = ${no} and retired_at is null for share`;
  return rows.length > 0;
}

/** Counts keys encrypted under another vault key, up to `most`. */
export const countKeysUnderOtherKeys = (
  sql: Queryable,
  keyId: string,
  most: number,
): Promise<number> =>
  countUpTo(sql, most, sql`select 1 from service_keys where vault_key_id <> ${keyId}`);
