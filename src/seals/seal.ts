import { wallClock } from '../platform/clocks.ts';
import { lockNames } from '../platform/postgres/advisory-lock.ts';
import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import { digestOf, type Fragment } from './evidence.ts';
import { linkOf, type SealedContent, type SealKeys, saltOf, withoutKeys } from './keys.ts';

/** Rows of one seal: the digests of more would be a large value. */
const rowsPerSeal = 10_000;

/** One sealer for an account at a time, so that its chain has no fork. Held to the end of `tx`. */
export const lockSeals = (tx: Queryable, accountId: string): Promise<void> =>
  lockNames(tx, `seal ${accountId}`);

/** What seals: the keys, and the wall clock that says when. */
export interface Sealer {
  keys: SealKeys;
  moment(): Temporal.Instant;
}

/** Of deployments that have no key. */
export const keylessSealer: Sealer = { keys: withoutKeys, moment: wallClock.now };

async function lastLink(sql: Queryable, accountId: string) {
  const [row] = await sql<{ no: number; hash: Buffer }[]>`
    select no, hash from seal_links where account_id = ${accountId} order by no desc limit 1`;
  return { no: row?.no ?? 0, hash: row?.hash ?? null };
}

/**
 * Seals rows `(key, text)` of one kind and chains the seals, in a transaction that holds the
 * account's seals. The database computes the digests, since thousands of texts on their way here
 * would hold up calls; only what the links are made of comes here, where the keys are.
 */
export async function sealRows(
  tx: Transaction,
  { keys, moment }: Sealer,
  { accountId, kind }: { accountId: string; kind: string },
  rows: Fragment,
): Promise<void> {
  const last = await lastLink(tx, accountId);
  const at = moment();
  const salt = saltOf(keys, keys.current, accountId);
  const made = await tx<SealedContent[]>`
    with picked as materialized (
      select key, digest, (row_number() over (order by key) - 1) / ${rowsPerSeal} as part
      from (
        select key, ${digestOf(tx, tx`${salt}::bytea`)} as digest from (${rows}) as r offset 0
      ) as digested /* sorted without their texts */
    ),
    sealed as (
      insert into seals (account_id, no, kind, keys, digests)
      select ${accountId}, ${last.no} + 1 + part::int, ${kind}, array_agg(key order by key),
        array_agg(digest order by key)
      from picked group by part
      returning no, kind, keys, digests
    )
    select no, kind, ${contentOf(tx)} as content from sealed order by no`;
  if (made.length === 0) return;
  let { hash } = last;
  const links = made.map((seal) => {
    hash = linkOf(keys, keys.current, accountId, hash, { ...seal, at });
    if (hash === null) throw new Error('the current key of seals is missing');
    return { no: seal.no, hash };
  });
  await tx`
    insert into seal_links (account_id, no, key_id, sealed_at, hash)
    select ${accountId}, no, ${keys.current}, ${at}::timestamptz, hash
    from unnest(${links.map(({ no }) => no)}::int[], ${links.map((link) => link.hash)}::bytea[])
      as link (no, hash)`;
}

/** SHA-256 over the keys and digests of a seal. */
export const contentOf = (sql: Queryable): Fragment => sql`
  sha256(convert_to(array_to_string(keys, ','), 'UTF8') || (
    select string_agg(digest, ''::bytea order by place)
    from unnest(digests) with ordinality as one (digest, place)))`;
