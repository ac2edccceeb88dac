import { wallClock } from '../platform/clocks.ts';
import { lockNames } from '../platform/postgres/advisory-lock.ts';
import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import { digestOf, type Fragment } from './evidence.ts';
import { linkOf, type SealedContent, type SealKeys, saltOf, withoutKeys } from './keys.ts';

/** Maximum rows per seal, because the database stores a seal's digests as one value. */
const rowsPerSeal = 10_000;

/** A row that no process of the service wrote. */
export interface Forged {
  accountId: string;
  kind: string;
  id: number;
}

export interface Sealer {
  keys: SealKeys;
  moment(): Temporal.Instant;
  /**
   * Receives sealed facts that no process of the service wrote, in the transaction that seals them,
   * so that a crash loses no alarm.
   */
  forged?(tx: Queryable, facts: readonly Forged[]): Promise<void>;
}

/** For deployments without a key. */
export const keylessSealer: Sealer = { keys: withoutKeys, moment: wallClock.now };

interface End {
  no: number;
  hash: Buffer | null;
}

/** Locked chains of some accounts, for a transaction that appends to them. */
export interface Chains {
  /** Seals rows `(account_id, key, text)` of one kind, after each account's last seal. */
  seal(kind: string, rows: Fragment): Promise<void>;
}

async function readEnds(tx: Queryable, accountIds: readonly string[]): Promise<Map<string, End>> {
  const rows = await tx<({ account_id: string } & End)[]>`
    select account_id, no, hash from unnest(${accountIds}::text[]) as wanted (account_id)
    cross join lateral (
      select no, hash from seal_links
      where account_id = any(${accountIds}::text[]) and account_id = wanted.account_id
      order by no desc limit 1
    ) as last`;
  const ends = new Map<string, End>(accountIds.map((id) => [id, { no: 0, hash: null }]));
  for (const { account_id: accountId, no, hash } of rows) ends.set(accountId, { no, hash });
  return ends;
}

/**
 * Selects the elements of an array for the seal `part`. Sorting rows into seals would double the
 * cost.
 */
const partOf = (sql: Queryable, array: 'keys' | 'digests'): Fragment =>
  sql`${sql.unsafe(array)}[part * ${rowsPerSeal} + 1 : (part + 1) * ${rowsPerSeal}]`;

/**
 * Stores seals without their links and returns them in order. The database computes the digests,
 * since sending thousands of texts would delay calls. Returns only the input of the links, which
 * this process computes because it has the keys.
 */
const storeSeals = (
  tx: Queryable,
  ends: readonly { accountId: string; no: number; salt: Buffer }[],
  kind: string,
  rows: Fragment,
) => tx<({ account_id: string } & SealedContent)[]>`
  with ends as (
    select * from ${recordset(tx, 'ends (account_id text, no int, salt bytea)', ends)}
  ),
  digested as (
    select account_id, no, array_agg(key) as keys, array_agg(digest) as digests
    from (
      select account_id, no, key, ${digestOf(tx, tx`salt`)} as digest
      from (${rows}) as row join ends using (account_id)
    ) as row
    group by account_id, no
  ),
  sealed as (
    insert into seals (account_id, no, kind, keys, digests)
    select account_id, no + 1 + part, ${kind}, ${partOf(tx, 'keys')}, ${partOf(tx, 'digests')}
    from digested, generate_series(0, (cardinality(keys) - 1) / ${rowsPerSeal}) as part
    returning account_id, no, kind, keys, digests
  )
  select account_id, no, kind, ${contentOf(tx)} as content from sealed order by account_id, no`;

/**
 * Locks the chains of accounts until `tx` ends, so that no chain forks, and continues at their
 * ends. Throws if the current key is missing.
 */
export async function holdChains(
  tx: Transaction,
  { keys, moment }: Sealer,
  accountIds: readonly string[],
): Promise<Chains> {
  await lockNames(tx, ...accountIds.map((accountId) => `seal ${accountId}`));
  const ends = await readEnds(tx, accountIds);
  const salts = new Map(accountIds.map((id) => [id, known(saltOf(keys, keys.current, id))]));

  const linked = (at: Temporal.Instant, accountId: string, seal: SealedContent) => {
    const last = ends.get(accountId)?.hash ?? null;
    const hash = known(linkOf(keys, keys.current, accountId, last, { ...seal, at }));
    ends.set(accountId, { no: seal.no, hash });
    return { accountId, no: seal.no, hash };
  };
  return {
    async seal(kind, rows) {
      const at = moment();
      const from = [...salts].map(([accountId, salt]) => ({
        accountId,
        no: ends.get(accountId)?.no ?? 0,
        salt,
      }));
      const made = await storeSeals(tx, from, kind, rows);
      if (made.length === 0) return;
      const links = made.map(({ account_id, ...seal }) => linked(at, account_id, seal));
      await tx`
        insert into seal_links (account_id, no, key_id, sealed_at, hash)
        select account_id, no, ${keys.current}, ${at}::timestamptz, hash
        from ${recordset(tx, 'link (account_id text, no int, hash bytea)', links)}`;
    },
  };
}

function known(made: Buffer | null): Buffer {
  if (made === null) throw new Error('the current key of seals is missing');
  return made;
}

/** Computes SHA-256 over the keys and digests of a seal. */
export const contentOf = (sql: Queryable): Fragment => sql`
  sha256(convert_to(array_to_string(keys, ','), 'UTF8') || (
    select string_agg(digest, ''::bytea order by place)
    from unnest(digests) with ordinality as one (digest, place)))`;
