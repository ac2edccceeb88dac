import { createHash, randomUUID } from 'node:crypto';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { inOrderOf, itemAt } from '../kernel/lists.ts';
import { refusal } from './codes.ts';
import type { Refusal } from './errors.ts';
import type { Queryable } from './postgres/connect.ts';
import { alsoOwnedBy } from './postgres/distributed/owners.ts';
import { recordset } from './postgres/recordset.ts';

/** The Idempotency-Key of a creating or changing call, in the scope of account and path. */
export interface IdempotencyClaim {
  path: string;
  key: string;
  /**
   * SHA-256 of the body, and of a change's query, or a keyed digest of that. Distinguishes a
   * repetition from another call with the same key.
   */
  fingerprint: Buffer;
  /**
   * Fingerprints of the same body under the vault's other keys, for calls from before a rotation.
   */
  otherFingerprints?: readonly Buffer[];
}

/** A stored response, which repeated calls get. */
export interface StoredAnswer {
  status: number;
  body: string;
}

export type CreationOutcome =
  | { kind: 'created'; answer: StoredAnswer }
  | { kind: 'replayed'; answer: StoredAnswer };

export const longestKey = 255;

/** Bytes hashed per turn of the event loop, about a millisecond of work. */
const hashedAtOnce = 1024 * 1024;

export const fingerprintOf = (body: Buffer): Buffer => createHash('sha256').update(body).digest();

/** Returns the same as `fingerprintOf`. Yields to other work while it hashes a long body. */
export async function fingerprintOfLong(body: Buffer): Promise<Buffer> {
  const hash = createHash('sha256');
  for (let begin = 0; begin < body.length; begin += hashedAtOnce) {
    if (begin > 0) await othersTurn();
    hash.update(body.subarray(begin, begin + hashedAtOnce));
  }
  return hash.digest();
}

/**
 * Tracks the keys in use by this process. A concurrent call with the same key is a conflict and
 * does not wait.
 */
export function createKeysInFlight(): {
  hold<T>(scope: string, call: () => Promise<T>): Promise<T>;
} {
  const scopes = new Set<string>();
  return {
    async hold(scope, call) {
      if (scopes.has(scope)) throw refusal('idempotency_key_in_use', {});
      scopes.add(scope);
      try {
        return await call();
      } finally {
        scopes.delete(scope);
      }
    },
  };
}

export interface AccountClaim extends IdempotencyClaim {
  accountId: string;
}

interface NewClaim extends AccountClaim, StoredAnswer {
  /** Id of the created row, which identifies the claim within the statement. */
  id: number;
}

/**
 * Builds CTEs that claim a creating statement's keys. `claim (account_id, path, key, …, id)`
 * contains the requested keys, `claimed (account_id, path, key)` those that were free and now have
 * their responses. Locks keys in order, so that statements never deadlock.
 */
const claimKeys = (sql: Queryable, claims: NewClaim[], wallNow: Temporal.Instant) => sql`
  claim as materialized (
    select * from ${recordset(
      sql,
      `claim (account_id text, path text, key text, fingerprint bytea, status smallint, body text,
        id bigint)`,
      claims,
    )}
  ),
  claimed as (
    insert into idempotency_keys (account_id, path, key, fingerprint, status, body, created_at)
    select account_id, path, key, fingerprint, status, body, ${wallNow}::timestamptz
    from claim order by account_id, path, key
    on conflict (account_id, path, key) do nothing
    returning account_id, path, key
  )`;

/**
 * Builds a CTE after the claims. `fresh` contains the rows of `from (account_id, id, …)` to create:
 * without a key or with a free one. `claimant` is the column with the claim's id.
 */
export const freshRows = (sql: Queryable, from: string, claimant: 'id' | 'call_id' = 'id') => sql`
  fresh as materialized (
    select n.* from ${sql(from)} n
    left join claim on claim.account_id = n.account_id and claim.id = n.${sql(claimant)}
    left join claimed on claimed.account_id = claim.account_id and claimed.path = claim.path
      and claimed.key = claim.key
    where claim.key is null or claimed.key is not null
  )`;

/** Stores an answer under its key. Returns false if the key is taken. */
export async function claimKey(
  tx: Queryable,
  claim: AccountClaim,
  { status, body }: StoredAnswer,
  wallNow: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx`
    insert into idempotency_keys (account_id, path, key, fingerprint, status, body, created_at)
    values (${claim.accountId}, ${claim.path}, ${claim.key}, ${claim.fingerprint}, ${status},
      ${body}, ${wallNow}::timestamptz)
    on conflict (account_id, path, key) do nothing returning 1`;
  return rows.length > 0;
}

/**
 * Looks up stored responses. For each claim, returns the response if the body is the same, a
 * refusal (422) if it differs, or null if the key is free.
 */
export async function recall(
  sql: Queryable,
  claims: AccountClaim[],
): Promise<(StoredAnswer | Refusal | null)[]> {
  const owned = alsoOwnedBy(
    sql,
    'stored',
    claims.map((claim) => claim.accountId),
  );
  const rows = await sql<{ no: number; fingerprint: Buffer; status: number; body: string }[]>`
    select claim.no::int, stored.fingerprint, stored.status, stored.body
    from ${recordset(sql, 'claim (account_id text, path text, key text, no ordinality)', claims)}
    join idempotency_keys stored on stored.account_id = claim.account_id
      and stored.path = claim.path and stored.key = claim.key ${owned}`;
  return inOrderOf(claims, rows).map((stored, place) => {
    if (!stored) return null;
    const { fingerprint, otherFingerprints = [] } = itemAt(claims, place);
    if ([fingerprint, ...otherFingerprints].some((one) => stored.fingerprint.equals(one))) {
      return { status: stored.status, body: stored.body };
    }
    return refusal('idempotency_key_reused', {});
  });
}

/**
 * Returns the key's stored response, or a 422 if its body differed. Otherwise returns `refusal`.
 */
export async function recallRefused(
  sql: Queryable,
  { accountId, claim }: { accountId: string; claim: IdempotencyClaim | null },
  refusal: Error,
): Promise<CreationOutcome | Error> {
  if (!claim) return refusal;
  const [stored = null] = await recall(sql, [{ ...claim, accountId }]);
  if (stored === null) return refusal;
  return stored instanceof Error ? stored : { kind: 'replayed', answer: stored };
}

/**
 * Stores a call's response after its effect. Returns the response to send: this one, or that of an
 * identical call that stored its own first. Returns a refusal if that call had another body, or the
 * key expired meanwhile.
 */
export async function keepAnswer(
  sql: Queryable,
  claim: AccountClaim,
  answer: StoredAnswer,
  wallNow: Temporal.Instant,
): Promise<StoredAnswer | Refusal> {
  await claimKey(sql, claim, answer, wallNow);
  const [stored = null] = await recall(sql, [claim]);
  return stored ?? keyRanOut();
}

/**
 * Returns a reference for a call's effect that is the same for each repetition, so that the effect
 * counts once, even after a crash before the response was stored. Without a key, returns a random
 * one.
 */
export const referenceOf = (claim: IdempotencyClaim | null): string =>
  claim
    ? createHash('sha256').update(`${claim.path} ${claim.key}`).digest('base64url')
    : randomUUID();

/**
 * Returns the refusal for a key that expired between the creating statement and the look-up, the
 * only way in which it can be missing.
 */
export const keyRanOut = (): Refusal => refusal('idempotency_key_expired', {});

/** One of the calls that a creating statement batches: the row to create and its key. */
export interface ClaimedCreation {
  accountId: string;
  id: number;
  claim: IdempotencyClaim | null;
  answer: StoredAnswer;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Orders calls by account and key, so that batches lock shared keys in the same order. */
const inKeyOrder = <C extends ClaimedCreation>(creations: readonly C[]): C[] =>
  creations.toSorted(
    (a, b) =>
      compare(a.accountId, b.accountId) ||
      compare(a.claim?.key ?? '', b.claim?.key ?? '') ||
      a.id - b.id,
  );

const claimsOf = (creations: readonly ClaimedCreation[]): NewClaim[] =>
  creations.flatMap(({ accountId, id, claim, answer }) =>
    claim ? [{ ...claim, ...answer, accountId, id }] : [],
  );

/**
 * Resolves calls after their statement: those in `fresh` were created, others get their keys'
 * stored responses.
 */
async function outcomesOf(
  sql: Queryable,
  creations: readonly ClaimedCreation[],
  fresh: ReadonlySet<number>,
): Promise<(CreationOutcome | Error)[]> {
  const taken = creations.flatMap(({ accountId, id, claim }) =>
    claim && !fresh.has(id) ? [{ ...claim, accountId, id }] : [],
  );
  const replays = taken.length > 0 ? await recall(sql, taken) : [];
  const replayOf = new Map(taken.map((claim, index) => [claim.id, replays[index]]));
  return creations.map(({ id, answer }): CreationOutcome | Error => {
    if (fresh.has(id)) return { kind: 'created', answer };
    const stored = replayOf.get(id) ?? keyRanOut();
    return stored instanceof Error ? stored : { kind: 'replayed', answer: stored };
  });
}

/**
 * Runs a creating statement. `write` receives the calls in lock order and the CTEs that claim their
 * keys, and returns the created ids. Calls with a taken key get its stored response, so that of two
 * processes with one key, only one creates.
 */
export async function createOnce<C extends ClaimedCreation>(
  sql: Queryable,
  creations: readonly C[],
  wallNow: Temporal.Instant,
  write: (sorted: C[], claims: ReturnType<Queryable>) => Promise<readonly { id: number }[]>,
): Promise<(CreationOutcome | Error)[]> {
  const sorted = inKeyOrder(creations);
  const fresh = await write(sorted, claimKeys(sql, claimsOf(sorted), wallNow));
  return await outcomesOf(sql, creations, new Set(fresh.map(({ id }) => id)));
}

/**
 * Deletes up to 5,000 keys older than 25 hours by the wall clock. Returns their number. Callers may
 * rely on 24 hours.
 */
export async function forgetOldKeys(sql: Queryable, wallNow: Temporal.Instant): Promise<number> {
  const rows = await sql`
    with old as materialized (
      select account_id, path, key from idempotency_keys
      where created_at < ${wallNow.subtract({ hours: 25 })}::timestamptz
      order by created_at limit 5000
    )
    delete from idempotency_keys k using old
    where k.account_id = old.account_id and k.path = old.path and k.key = old.key`;
  return rows.count;
}
