import { hash, randomBytes } from 'node:crypto';
import { appendEvents } from '../events/index.ts';
import type { Acting } from '../platform/base.ts';
import { tellAll } from '../platform/postgres/broadcast.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { refusal } from './codes.ts';
import type { KeyPermission } from './permissions.ts';

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
}

export interface NewKey {
  accountId: string;
  name: string;
  permissions: KeyPermission[];
  expiresAt: Temporal.Instant | null;
  /** A fixed secret for the sandbox's demo account. Null draws a random one. */
  secret: string | null;
}

/** Maximum number of active keys per account. */
export const mostKeys = 50;

const prefixLength = 12;

export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer');

const drawKey = (environment: string): string =>
  `rk_${environment === 'production' ? 'live' : 'test'}_${randomBytes(24).toString('base64url')}`;

interface KeyNote {
  accountId: string;
  id: number;
  version: number;
  /** Allocated before rows are locked. */
  eventId: number;
  type: string;
  data?: Record<string, unknown>;
}

const noteKey = (
  tx: Queryable,
  { clocks, actor }: Acting,
  { accountId, id, version, eventId, type, data = {} }: KeyNote,
): Promise<void> => {
  const at = clocks.business.now();
  const told = { entity: 'api_key', entityId: String(id), version, type, at, actor, data };
  return appendEvents(tx, [{ accountId, id: eventId, ...told }]);
};

/** Writes within the transaction of the change, such as notices to users. */
type Alongside = (tx: Queryable) => Promise<void>;

/** Locks the account to serialise counting. Throws 409 at the maximum number of keys. */
async function refuseUnlessFree(
  tx: Queryable,
  accountId: string,
  now: Temporal.Instant,
): Promise<void> {
  const [account] = await tx<{ state: string }[]>`
    select state from accounts where id = ${accountId} for no key update`;
  if (!account) throw refusal('account.not_found', {});
  if (account.state === 'closed') throw refusal('account.closed', {});
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from api_keys
    where account_id = ${accountId} and revoked_at is null
      and (expires_at is null or expires_at > ${now}::timestamptz)`;
  if ((row?.count ?? 0) >= mostKeys) {
    throw refusal('api_key.limit_reached', { most: mostKeys });
  }
}

/**
 * Creates a key and returns it in clear text for the only time. Throws 409 if it has already
 * expired, its id or secret exists, or the account has the maximum.
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
    await refuseUnlessFree(tx, input.accountId, now);
    const rows = await tx`
      insert into api_keys (hash, account_id, id, name, prefix, permissions, created_at, expires_at)
      values (${hashKey(key)}, ${input.accountId}, ${id}, ${input.name},
        ${key.slice(0, prefixLength)}, ${input.permissions}::text[], ${now}::timestamptz,
        ${input.expiresAt}::timestamptz)
      on conflict do nothing returning id`;
    if (rows.length === 0) throw refusal('api_key.exists', {});
    await noteKey(tx, acting, {
      accountId: input.accountId,
      id,
      version: 1,
      eventId,
      type: 'api_key.created',
      data: {
        name: input.name,
        permissions: input.permissions,
        expires_at: input.expiresAt?.toString() ?? null,
      },
    });
    await alongside?.(tx);
  });
  return key;
}

export async function listKeys(sql: Sql, accountId: string): Promise<ApiKey[]> {
  return await sql<ApiKey[]>`
    select id, account_id, name, prefix, permissions, created_at, expires_at, revoked_at,
      last_used_at
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
    await noteKey(tx, acting, { accountId, id, version: 2, eventId, type: 'api_key.revoked' });
    await alongside?.(tx);
  });
  await tellAll(acting.sql, keyRevokedTopic);
}
