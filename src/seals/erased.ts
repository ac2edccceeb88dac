import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import { digestOf, type Evidence, type Fragment, namedRows } from './evidence.ts';
import { type SealKeys, saltOf } from './keys.ts';
import { lastSealNo } from './keys-sealed.ts';
import type { Chains } from './seal.ts';

interface ChainOf {
  accountId: string;
  kind: string;
}

interface SealedDigest {
  digest: Buffer;
  key_id: string;
}

/**
 * The latest digests of some rows of an account, in its seals up to number `until`. They are read
 * once for all batches, because reading a long chain takes seconds.
 */
export interface SealedDigests {
  /** All keys that were searched. */
  keys: ReadonlySet<string>;
  digests: ReadonlyMap<string, SealedDigest>;
  until: number;
}

async function digestsAfter(
  sql: Queryable,
  { accountId, kind }: ChainOf,
  keys: readonly string[],
  after: number,
): Promise<(readonly [string, SealedDigest])[]> {
  if (keys.length === 0) return [];
  const rows = await sql<(SealedDigest & { key: string })[]>`
    select distinct on (key) key, digest, l.key_id
    from seals s join seal_links l using (account_id, no),
      unnest(s.keys, s.digests) as member (key, digest)
      join unnest(${[...keys]}::text[]) as wanted (key) using (key)
    where s.account_id = ${accountId} and s.kind = ${kind} and s.no > ${after}
    order by key, s.no desc`;
  return rows.map(({ key, ...digest }) => [key, digest] as const);
}

/** Reads the last digests of rows, before they are erased batch by batch. */
export async function readSealed(
  sql: Queryable,
  chain: ChainOf,
  keys: readonly string[],
): Promise<SealedDigests> {
  const [end] = await sql<{ no: number }[]>`select ${lastSealNo(sql, chain.accountId)} as no`;
  const digests = new Map(await digestsAfter(sql, chain, keys, 0));
  return { keys: new Set(keys), digests, until: end?.no ?? 0 };
}

/** Returns digests with their salts, including those that were sealed since `known` was read. */
async function saltedDigests(
  tx: Queryable,
  sealKeys: SealKeys,
  chain: ChainOf,
  keys: readonly string[],
  known: SealedDigests,
) {
  const missing = keys.filter((key) => !known.digests.has(key));
  const [late, unknown] = [true, false].map((is) =>
    missing.filter((key) => known.keys.has(key) === is),
  );
  const all = new Map([
    ...known.digests,
    ...(await digestsAfter(tx, chain, late ?? [], known.until)),
    ...(await digestsAfter(tx, chain, unknown ?? [], 0)),
  ]);
  return keys.flatMap((key) => {
    const sealed = all.get(key);
    const salt = sealed && saltOf(sealKeys, sealed.key_id, chain.accountId);
    return salt ? [{ key, digest: sealed.digest, salt }] : [];
  });
}

/** Rows whose texts are about to be erased. */
export interface ErasedRows {
  evidence: Evidence;
  /** The relation of `evidence` as the erasure leaves it. */
  erasedFrom: string;
  keys: readonly string[];
  known: SealedDigests;
}

/**
 * Erases rows that never change otherwise, and seals them again. Seals only rows that match their
 * seal, and what the erasure should leave, never what is stored afterwards. So the audit still
 * names a row that was changed before, during or after the erasure. Rows without a seal are left to
 * the sealer.
 */
export async function sealErased(
  tx: Transaction,
  { keys: sealKeys, chains }: { keys: SealKeys; chains: Chains },
  accountId: string,
  { evidence, erasedFrom, keys, known }: ErasedRows,
  erase: () => Promise<unknown>,
): Promise<void> {
  const { kind } = evidence;
  const digests = await saltedDigests(tx, sealKeys, { accountId, kind }, keys, known);
  const names = Object.values(evidence.key).map(
    (type, place) => `split_part(key, '|', ${place + 1})::${type}`,
  );
  const named: Fragment = tx`
    select ${accountId}::text, ${tx.unsafe(names.join(', '))}
    from unnest(${digests.map(({ key }) => key)}::text[]) as key`;
  const erased = { ...evidence, from: erasedFrom };
  const intact = await tx<{ account_id: string; key: string; text: string }[]>`
    select after.account_id, after.key, after.text
    from (
      select key from (${namedRows(tx, evidence, [accountId], named)}) as before
      join ${recordset(tx, 'sealed (key text, digest bytea, salt bytea)', digests)} using (key)
      where ${digestOf(tx, tx`salt`)} = digest
    ) as intact
    join (${namedRows(tx, erased, [accountId], named)}) as after using (key)`;
  await erase();
  if (intact.length === 0) return;
  await chains.seal(
    kind,
    tx`select * from ${recordset(tx, 'row (account_id text, key text, text text)', intact)}`,
  );
}
