import type { Clock } from '../platform/clocks.ts';
import { Refusal } from '../platform/errors.ts';
import type { Caller } from '../platform/http/gate.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { hashKey } from './keys.ts';

interface KeyRow {
  id: number;
  account_id: string;
  prefix: string;
  permissions: string[];
  expires_at: Temporal.Instant | null;
  revoked_at: Temporal.Instant | null;
}

interface KnownKey {
  row: KeyRow;
  caller: Caller;
}

interface Known {
  key: KnownKey | null;
  untilMs: number;
}

export interface Authenticator {
  /** Who calls with this Authorization header; refuses with 401. */
  authenticate(authorization: string | undefined): Promise<Caller>;
  /** Forgets what is cached: a key was revoked. */
  forget(): void;
  /** Writes the last uses of keys, lazily: a call never waits for it. */
  flushUses(): Promise<void>;
}

/** A revocation reaches every process by notification; without one, after this time. */
const cachedForMs = 5_000;
const mostCached = 20_000;

const refused = (message: string): Refusal => new Refusal('unauthorized', message);

const keyIn = (authorization: string | undefined): string => {
  const match = /^Bearer +([!-~]{8,255})$/i.exec(authorization?.trim() ?? '');
  if (match?.[1]) return match[1];
  throw refused('An API key is needed: send the header Authorization: Bearer <API_KEY>.');
};

export function openAuthenticator(sql: Sql, wall: Clock): Authenticator {
  const cache = new Map<string, Known>();
  let forgotten = 0;
  const uses = new Map<number, { accountId: string; atMs: number }>();

  const callerOf = (row: KeyRow): Caller => ({
    accountId: row.account_id,
    actor: `key:${row.prefix}:${row.id}`,
    permissions: new Set(row.permissions),
  });

  const find = async (key: string, nowMs: number): Promise<KnownKey | null> => {
    const hash = hashKey(key);
    const name = hash.toString('base64');
    const known = cache.get(name);
    if (known && known.untilMs > nowMs) return known.key;
    const forgottenBefore = forgotten;
    const [row = null] = await sql<KeyRow[]>`
      select id, account_id, prefix, permissions, expires_at, revoked_at from api_keys
      where hash = ${hash}`;
    const found = row && { row, caller: callerOf(row) };
    if (cache.size >= mostCached) cache.clear();
    // What was read while a key was being revoked may be from before: use it, but do not keep it.
    if (forgotten === forgottenBefore)
      cache.set(name, { key: found, untilMs: nowMs + cachedForMs });
    return found;
  };

  return {
    async authenticate(authorization) {
      const nowMs = wall.nowMs();
      const found = await find(keyIn(authorization), nowMs);
      if (!found) throw refused('This API key is not known.');
      const { row, caller } = found;
      if (row.revoked_at !== null) throw refused('This API key was revoked.');
      if (row.expires_at !== null && row.expires_at.epochMilliseconds <= nowMs) {
        throw refused('This API key has expired.');
      }
      uses.set(row.id, { accountId: row.account_id, atMs: nowMs });
      return caller;
    },
    forget() {
      forgotten += 1;
      cache.clear();
    },
    async flushUses() {
      if (uses.size === 0) return;
      const seen = [...uses].sort(([a], [b]) => a - b);
      uses.clear();
      await sql`
        update api_keys k set last_used_at = u.at
        from unnest(
          ${seen.map(([, use]) => use.accountId)}::text[], ${seen.map(([id]) => id)}::bigint[],
          ${seen.map(([, use]) => Temporal.Instant.fromEpochMilliseconds(use.atMs))}::timestamptz[]
        ) as u (account_id, id, at)
        where k.account_id = u.account_id and k.id = u.id
          and (k.last_used_at is null or k.last_used_at < u.at)`;
    },
  };
}
