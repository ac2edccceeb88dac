import { hash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { appendEvents, readHistory } from '../../events/index.ts';
import type { Acting } from '../../platform/base.ts';
import { tellAll } from '../../platform/postgres/broadcast.ts';
import type { Queryable, Sql } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import type { Alongside } from '../note.ts';
import type { KeyPermission } from '../permissions.ts';

export const keyRevokedTopic = 'recaudo_key_revoked';

/** A listed key. Its secret was displayed once and is not stored. */
export interface ApiKey {
  id: number;
  account_id: string;
  name: string;
  prefix: string;
  permissions: KeyPermission[];
  created_at: Temporal.Instant;
  expires_at: Temporal.Instant | null;
  revoked_at: Temporal.Instant | null;
  last_used_at: Temporal.Instant | null;
  /** Addresses that may use it. Null allows any. */
  ranges: string[] | null;
  /** The key that replaced it in a rotation. */
  replaced_by: number | null;
}

export interface NewKey {
  accountId: string;
  name: string;
  permissions: KeyPermission[];
  expiresAt: Temporal.Instant | null;
  /** Networks in normal form. Absent or empty allows any address. */
  ranges?: readonly string[];
  /** A fixed secret for the sandbox's demo account. Null draws a random one. */
  secret: string | null;
}

/** Maximum number of active keys per account. */
export const mostKeys = 50;

const prefixLength = 12;

export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer');

export const drawKey = (environment: string): string =>
  `rk_${environment === 'production' ? 'live' : 'test'}_${randomBytes(24).toString('base64url')}`;

interface KeyNote {
  accountId: string;
  id: number;
  /** Allocated before rows are locked. */
  eventId: number;
  type: string;
  data?: Record<string, unknown>;
}

/** Appends an event of a key whose row is new or locked. */
export async function noteKey(
  tx: Queryable,
  { clocks, actor }: Acting,
  { accountId, id, eventId, type, data = {} }: KeyNote,
): Promise<void> {
  const of = { accountId, entity: 'api_key', entityId: String(id) };
  const version = ((await readHistory(tx, of, 1)).at(-1)?.version ?? 0) + 1;
  const at = clocks.business.now();
  await appendEvents(tx, [{ ...of, id: eventId, version, type, at, actor, data }]);
}

/**
 * Locks the account, to serialize the counting of its keys. Throws 404 for an unknown account, 409
 * if it is closed.
 */
export async function lockForKeys(tx: Queryable, accountId: string): Promise<void> {
  const [account] = await tx<{ state: string }[]>`
    select state from accounts where id = ${accountId} for no key update`;
  if (!account) throw refusal('account.not_found', {});
  if (account.state === 'closed') throw refusal('account.closed', {});
}

/** Throws 409 if the account has the maximum number of active keys. */
async function refuseUnlessFree(
  tx: Queryable,
  accountId: string,
  now: Temporal.Instant,
): Promise<void> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from api_keys
    where account_id = ${accountId} and revoked_at is null
      and (expires_at is null or expires_at > ${now}::timestamptz)`;
  if ((row?.count ?? 0) >= mostKeys) {
    throw refusal('api_key.limit_reached', { most: mostKeys });
  }
}

interface InsertedKey extends Omit<NewKey, 'secret'> {
  id: number;
  key: string;
  /** Taken before locking rows. */
  eventId: number;
  /** The key that it replaces. */
  replaces?: number;
}

/**
 * Inserts a key under its account's lock. Throws 409 if its id or secret exists, or if the account
 * has the maximum.
 */
export async function insertKey(
  tx: Queryable,
  acting: Acting,
  { id, key, eventId, accountId, name, permissions, expiresAt, replaces, ...input }: InsertedKey,
): Promise<void> {
  const now = acting.clocks.wall.now();
  const ranges = stored(input.ranges ?? []);
  await refuseUnlessFree(tx, accountId, now);
  const rows = await tx`
    insert into api_keys (hash, account_id, id, name, prefix, permissions, created_at, expires_at,
      ranges)
    values (${hashKey(key)}, ${accountId}, ${id}, ${name}, ${key.slice(0, prefixLength)},
      ${permissions}::text[], ${now}::timestamptz, ${expiresAt}::timestamptz, ${ranges}::text[])
    on conflict do nothing returning id`;
  if (rows.length === 0) throw refusal('api_key.exists', {});
  const expiry = expiresAt?.toString() ?? null;
  const data = {
    ...{ name, permissions, expires_at: expiry },
    ...(ranges && { ranges }),
    ...(replaces !== undefined && { replaces }),
  };
  await noteKey(tx, acting, { accountId, id, eventId, type: 'api_key.created', data });
}

const stored = (ranges: readonly string[]): string[] | null =>
  ranges.length === 0 ? null : [...ranges];

/**
 * Creates a key and returns it in clear text for the only time. Throws 404 for an unknown account,
 * 409 if the key has already expired, its id or secret exists, or the account is closed or has the
 * maximum.
 */
export async function createKey(
  acting: Acting,
  { id, environment, ...input }: NewKey & { id: number; environment: string },
  alongside?: Alongside,
): Promise<string> {
  const key = input.secret ?? drawKey(environment);
  const now = acting.clocks.wall.now();
  const { expiresAt } = input;
  if (expiresAt && Temporal.Instant.compare(expiresAt, now) <= 0) {
    throw refusal('api_key.expiry_past', {});
  }
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    await lockForKeys(tx, input.accountId);
    await insertKey(tx, acting, { ...input, id, key, eventId });
    await alongside?.(tx);
  });
  return key;
}

export async function listKeys(sql: Sql, accountId: string): Promise<ApiKey[]> {
  return await sql<ApiKey[]>`
    select id, account_id, name, prefix, permissions, created_at, expires_at, revoked_at,
      last_used_at, ranges, replaced_by
    from api_keys where account_id = ${accountId} order by id`;
}

/** Revokes a key at once, in every process. Idempotent. Throws 404 for an unknown key. */
export async function revokeKey(
  acting: Acting,
  { accountId, id }: { accountId: string; id: number },
  alongside?: Alongside,
): Promise<void> {
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    const [key] = await tx<{ revoked_at: Temporal.Instant | null }[]>`
      select revoked_at from api_keys where account_id = ${accountId} and id = ${id} for update`;
    if (!key) throw refusal('api_key.not_found', {});
    if (key.revoked_at !== null) return;
    await tx`
      update api_keys set revoked_at = ${acting.clocks.wall.now()}::timestamptz
      where account_id = ${accountId} and id = ${id}`;
    await noteKey(tx, acting, { accountId, id, eventId, type: 'api_key.revoked' });
    await alongside?.(tx);
  });
  await tellAll(acting.sql, keyRevokedTopic);
}

/**
 * Limits a working key to ranges of addresses, at once in every process. Without ranges, it works
 * from any address. Returns false if it already had these. Throws 404 for an unknown key, 409 if it
 * is revoked or expired.
 */
export async function restrictKey(
  acting: Acting,
  { accountId, id, ranges }: { accountId: string; id: number; ranges: readonly string[] },
  alongside?: Alongside,
): Promise<boolean> {
  const eventId = await acting.recordIds.next();
  const now = acting.clocks.wall.now();
  const changed = await acting.sql.begin(async (tx) => {
    const [key] = await tx<{ ranges: string[] | null; works: boolean }[]>`
      select ranges, revoked_at is null and (expires_at is null or expires_at > ${now}::timestamptz)
        as works
      from api_keys where account_id = ${accountId} and id = ${id} for update`;
    if (!key) throw refusal('api_key.not_found', {});
    if (!key.works) throw refusal('api_key.ended', {});
    const former = key.ranges ?? [];
    if (isDeepStrictEqual(former, ranges)) return false;
    await tx`
      update api_keys set ranges = ${stored(ranges)}::text[]
      where account_id = ${accountId} and id = ${id}`;
    const data = { ranges, before: { ranges: former } };
    await noteKey(tx, acting, { accountId, id, eventId, type: 'api_key.restricted', data });
    await alongside?.(tx);
    return true;
  });
  if (changed) await tellAll(acting.sql, keyRevokedTopic);
  return changed;
}
