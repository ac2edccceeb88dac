import { inOrderOf } from '../kernel/lists.ts';
import { batcher, byAccount } from '../platform/batcher.ts';
import type { Clock } from '../platform/clocks.ts';
import type { Refusal } from '../platform/errors.ts';
import type { Caller } from '../platform/http/gate.ts';
import { networkTest } from '../platform/http/networks.ts';
import { createRateLimiter } from '../platform/http/rate-limit.ts';
import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import { refusal, tooMany } from './codes.ts';
import { hashKey } from './keys/keys.ts';
import { grantedBy } from './permissions.ts';
import type { AccountState } from './standing.ts';

interface KeyRow {
  id: number;
  account_id: string;
  prefix: string;
  permissions: string[];
  expires_at: Temporal.Instant | null;
  revoked_at: Temporal.Instant | null;
  /** Null allows any address. */
  ranges: string[] | null;
  account_state: AccountState;
}

interface KnownKey {
  row: KeyRow;
  caller: Caller;
  allows(address: string): boolean;
}

interface Known {
  key: KnownKey;
  /** When the cache entry expires. */
  untilMs: number;
}

export interface Authenticator {
  /**
   * Returns the caller of an Authorization header. Throws 401 for an invalid key, 403 if the key
   * does not allow the address, 429 after too many unknown keys from it. `known` gets the owner of
   * a key that is revoked, expired or used from another address, at a limited rate.
   */
  authenticate(
    authorization: string | undefined,
    address: string,
    known?: (caller: Caller) => void,
  ): Promise<Caller>;
  /** Clears the cache after a key or an account's state has changed. */
  forget(): void;
  /** Writes the keys' last uses, which calls only note in memory. */
  flushUses(): Promise<void>;
}

/**
 * A notification spreads a change to every process. Without it, the cache expires after this
 * time.
 */
const cachedForMs = 5_000;
const mostCached = 20_000;
/** Longer headers are not cached. Only padding with spaces makes them so long. */
const longestHeader = 300;

const lookedUpAtOnce = { maxBatch: 500, maxQueue: 5_000, parallel: 1 };

/** Limits on unknown keys per address. */
export interface GuessLimit {
  /**
   * Returns null if a look-up is allowed, else the seconds to wait. The look-up counts as a wrong
   * guess until it succeeds.
   */
  begin(address: string): number | null;
  wasRight(address: string): void;
}

const keyIn = (authorization: string | undefined): string => {
  const match = /^Bearer +([!-~]{8,255})$/i.exec(authorization?.trim() ?? '');
  if (match?.[1]) return match[1];
  throw refusal('api_key.missing', {});
};

type FoundKey = KeyRow & { no: number };

/** Looks up keys, then their accounts. A batch of unknown hashes costs a single query. */
async function findKeys(sql: Queryable, hashes: Buffer[]): Promise<FoundKey[]> {
  const keys = await sql<Omit<FoundKey, 'account_state'>[]>`
    select wanted.no::int as no, k.id, k.account_id, k.prefix, k.permissions, k.expires_at,
      k.revoked_at, k.ranges
    from unnest(${hashes}::bytea[]) with ordinality as wanted (hash, no)
    join api_keys k using (hash)`;
  const owners = [...new Set(keys.map((key) => key.account_id))];
  if (owners.length === 0) return [];
  const states = await sql<{ id: string; state: AccountState }[]>`
    select id, state from accounts where id = any(${owners}::text[])`;
  const stateOf = new Map(states.map(({ id, state }) => [id, state]));
  return keys.flatMap((key) => {
    const state = stateOf.get(key.account_id);
    return state === undefined ? [] : [{ ...key, account_state: state }];
  });
}

const anyAddress = () => true;

const callerOf = (row: KeyRow): Caller => ({
  accountId: row.account_id,
  actor: { kind: 'key', prefix: row.prefix, id: row.id },
  permissions: grantedBy(row.permissions),
  suspended: row.account_state === 'suspended',
});

/** Returns the reason to refuse a key from this address, or null. */
function refusalOf({ row, allows }: KnownKey, address: string, nowMs: number): Refusal | null {
  if (row.revoked_at !== null) return refusal('api_key.revoked', {});
  if (row.expires_at !== null && row.expires_at.epochMilliseconds <= nowMs) {
    return refusal('api_key.expired', {});
  }
  return allows(address) ? null : refusal('api_key.address_refused', { address });
}

/** Looks up keys. Concurrent calls with one key share a look-up, and count as one guess. */
function createLookUps(sql: Sql, guesses: GuessLimit) {
  /** Concurrent look-ups share a query, so that guesses occupy few connections. */
  const lookUp = batcher(
    async (hashes: Buffer[]): Promise<(KeyRow | null)[]> => {
      const rows = await findKeys(sql, hashes);
      return inOrderOf(hashes, rows);
    },
    lookedUpAtOnce,
    byAccount(sql, (hash) => hash.toString('base64')),
  );
  const running = new Map<string, Promise<KeyRow | null>>();
  return {
    /** Throws 429 after too many wrong guesses. A null guesser is not limited. */
    find(hash: Buffer, name: string, guesser: string | null): Promise<KeyRow | null> {
      const begun = running.get(name);
      if (begun) return begun;
      const wait = guesser === null ? null : guesses.begin(guesser);
      if (wait !== null) throw tooMany('api_key.too_many_guesses', { seconds: wait }, wait);
      const look = async (): Promise<KeyRow | null> => {
        try {
          const row = await lookUp(hash);
          if (guesser !== null && row) guesses.wasRight(guesser);
          return row;
        } finally {
          if (running.get(name) === found) running.delete(name);
        }
      };
      const found = look();
      running.set(name, found);
      return found;
    },
    /** Makes later calls look up again, because a look-up under way may predate a change. */
    forget: () => running.clear(),
  };
}

/** Bounds the logged calls of a refused key, so that a thief cannot fill its owner's log. */
const refusalsLogged = { perSecond: 1, burst: 60 };

export function createAuthenticator(sql: Sql, wall: Clock, guesses: GuessLimit): Authenticator {
  const cache = new Map<string, Known>();
  /** Caches by header too, to save hashing each call's key. */
  const byHeader = new Map<string, Known>();
  const unknown = new Map<string, number>();
  let forgotten = 0;
  const isLogged = createRateLimiter(refusalsLogged, wall);
  const uses = new Map<number, { accountId: string; atMs: number }>();

  const lookUps = createLookUps(sql, guesses);

  /** Caches known and unknown keys separately, so that guesses do not evict keys in use. */
  const keep = (name: string, found: KnownKey | null, nowMs: number): void => {
    const entries = found ? cache : unknown;
    if (entries.size >= mostCached) entries.clear();
    if (found) cache.set(name, { key: found, untilMs: nowMs + cachedForMs });
    else unknown.set(name, nowMs + cachedForMs);
  };

  const remember = (header: string | undefined, known: Known): void => {
    const fits = header !== undefined && header.length <= longestHeader;
    if (fits && byHeader.size < mostCached) byHeader.set(header, known);
  };

  const find = async (
    header: string | undefined,
    address: string,
    nowMs: number,
  ): Promise<KnownKey | null> => {
    const hash = hashKey(keyIn(header));
    const name = hash.toString('base64');
    const known = cache.get(name);
    if (known && known.untilMs > nowMs) {
      remember(header, known);
      return known.key;
    }
    if ((unknown.get(name) ?? 0) > nowMs) return null;
    const forgottenBefore = forgotten;
    const row = await lookUps.find(hash, name, known ? null : address);
    const allows = row?.ranges ? networkTest(row.ranges) : anyAddress;
    const found = row && { row, caller: callerOf(row), allows };
    // The look-up may predate a change: use it, but do not cache it.
    if (forgotten === forgottenBefore) keep(name, found, nowMs);
    return found;
  };

  return {
    async authenticate(authorization, address, known) {
      const nowMs = wall.nowMs();
      const cached = byHeader.get(authorization ?? '');
      const found =
        cached && cached.untilMs > nowMs ? cached.key : await find(authorization, address, nowMs);
      if (!found) throw refusal('api_key.unknown', {});
      const { row, caller } = found;
      if (row.account_state === 'closed') throw refusal('api_key.account_closed', {});
      const refused = refusalOf(found, address, nowMs);
      if (refused !== null) {
        if (isLogged(`${row.account_id} ${row.id}`).allowed) known?.(caller);
        throw refused;
      }
      uses.set(row.id, { accountId: row.account_id, atMs: nowMs });
      return caller;
    },
    forget() {
      forgotten += 1;
      unknown.clear();
      byHeader.clear();
      lookUps.forget();
      for (const known of cache.values()) known.untilMs = 0;
    },
    async flushUses() {
      const nowMs = wall.nowMs();
      for (const [header, { untilMs }] of byHeader) if (untilMs <= nowMs) byHeader.delete(header);
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
