import type { Queryable } from '../platform/postgres/connect.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import {
  digestOf,
  type Evidence,
  type Fragment,
  isJoinedBy,
  namedRows,
  rowsOf,
  since,
  touchedRows,
  waitingFor,
} from './evidence.ts';
import { keyless, linkOf, type SealedContent, type SealKeys, saltOf } from './keys.ts';
import { contentOf } from './seal.ts';

interface Link extends SealedContent {
  key_id: string;
  sealed_at: Temporal.Instant;
  hash: Buffer;
}

const seldomRead = 200;

/** Returns an account's seals and links, in order. The members of a missing one are null. */
const linksOf = (sql: Queryable, accountId: string, after: number) =>
  sql<({ no: number } & { [K in keyof Link]: Link[K] | null })[]>`
    select coalesce(s.no, l.no) as no, s.kind, l.key_id, l.sealed_at, l.hash,
      case when s.no is not null then ${contentOf(sql)} end as content
    from (select * from seals where account_id = ${accountId} and no > ${after}) s
    full join (select * from seal_links where account_id = ${accountId} and no > ${after}) l
      on l.no = s.no
    order by 1`.cursor(seldomRead);

function faultOf(
  keys: SealKeys | null,
  accountId: string,
  before: { hash: Buffer | null; newest: number },
  seal: { [K in keyof Link]: Link[K] | null } & { no: number },
): string | null {
  const { no, kind, content, key_id: keyId, sealed_at: at, hash } = seal;
  if (kind === null || content === null || keyId === null || at === null || hash === null) {
    return `seal ${no} is incomplete`;
  }
  if (keyId === keyless && keys !== null && keys.current !== keyless) {
    return `seal ${no} was made without a key: anyone who can write to the database can forge it`;
  }
  if (keys === null) return null;
  const expected = linkOf(keys, keyId, accountId, before.hash, { no, kind, content, at });
  if (expected === null)
    return `seal ${no} was made with the key "${keyId}", which is not in VAULT_KEYS and which \`vault rewrap\` did not keep`;
  if (!expected.equals(hash)) return `seal ${no} does not match its chain`;
  const retiredMs = keys.retiredAt(keyId)?.epochMilliseconds ?? null;
  // A leaked key can backdate a seal, but cannot place it before seals under the next key.
  return retiredMs !== null && Math.max(at.epochMilliseconds, before.newest) > retiredMs
    ? `seal ${no} was made with the key "${keyId}" after it was retired`
    : null;
}

/**
 * Recomputes the chain of an account's seals from a trusted link. Without keys, finds only gaps and
 * seals without a link. Stops at the first fault, because everything later depends on it.
 */
export async function checkChain(
  sql: Queryable,
  keys: SealKeys | null,
  accountId: string,
  trusted: { no: number; hash: Buffer | null },
): Promise<string[]> {
  let last = { hash: trusted.hash, newest: 0 };
  let expected = trusted.no + 1;
  for await (const rows of linksOf(sql, accountId, trusted.no)) {
    for (const seal of rows) {
      if (seal.no !== expected) return [`seal ${expected} is missing`];
      const fault = faultOf(keys, accountId, last, seal);
      if (fault !== null) return [fault];
      const sealedMs = seal.sealed_at?.epochMilliseconds ?? 0;
      last = { hash: seal.hash, newest: Math.max(last.newest, sealedMs) };
      expected += 1;
    }
  }
  return [];
}

/** Returns the last link before an instant, or number 0 if there is none. */
export async function linkBefore(
  sql: Queryable,
  accountId: string,
  moment: Temporal.Instant,
): Promise<{ no: number; hash: Buffer | null }> {
  const [row] = await sql<{ no: number; hash: Buffer }[]>`
    select no, hash from seal_links
    where account_id = ${accountId} and sealed_at < ${moment}::timestamptz
    order by no desc limit 1`;
  return row ?? { no: 0, hash: null };
}

/**
 * Returns the ids of the keys that made the first and the last seal of each account, each id once.
 * Cheap, because it reads no seals in between.
 */
export async function endKeyIds(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ key_id: string }[]>`
    select distinct key_id from seal_marks m cross join lateral (
      (select key_id from seal_links l where l.account_id = m.account_id order by no limit 1)
      union all
      (select key_id from seal_links l where l.account_id = m.account_id order by no desc limit 1)
    ) as ends`;
  return rows.map((row) => row.key_id);
}

/**
 * Returns the salt of each key that sealed for this account. Omits keys that this process lacks.
 */
async function saltsOf(sql: Queryable, keys: SealKeys, accountId: string) {
  const used = await sql<{ key_id: string }[]>`
    select distinct key_id from seal_links where account_id = ${accountId}`;
  return used.flatMap(({ key_id }) => {
    const salt = saltOf(keys, key_id, accountId);
    return salt === null ? [] : [{ key_id, salt }];
  });
}

/**
 * Returns the first transaction that the sealer has not reached in an account, or null if it has
 * never sealed the account. Rows that later events affect cannot be compared yet.
 */
export async function sealedUntil(sql: Queryable, accountId: string): Promise<number | null> {
  const [mark] = await sql<{ next_xid: number }[]>`
    select next_xid from seal_marks where account_id = ${accountId}`;
  return mark?.next_xid ?? null;
}

const mostNamed = 100;

/** Selects the keys of rows that the sealer has not reached yet. */
function freshKeys(sql: Queryable, evidence: Evidence, accountId: string, mark: number): Fragment {
  const waiting = waitingFor(evidence);
  return waiting === null
    ? sql`select key from (${touchedRows(sql, evidence, [accountId], since(sql, mark, null))}) as r`
    : sql`select key from (${sql.unsafe(waiting)}) as w where account_id = ${accountId}`;
}

/**
 * Compares rows with their latest digests in the seals after `sinceNo`. Lists up to 100 rows that
 * differ from their seal or are gone. If it reads all seals, it also lists rows of a strict kind
 * that were never sealed.
 */
export async function checkRows(
  sql: Queryable,
  keys: SealKeys,
  accountId: string,
  evidence: Evidence,
  sinceNo = 0,
): Promise<string[]> {
  const mark = waitingFor(evidence) === null ? await sealedUntil(sql, accountId) : 0;
  if (mark === null) return [];
  const salts = await saltsOf(sql, keys, accountId);
  const all = sinceNo === 0;
  const split = Object.values(evidence.key).map(
    (type, place) => `split_part(key, '|', ${place + 1})::${type}`,
  );
  const sealed: Fragment = sql`select ${accountId}, ${sql.unsafe(split.join(', '))} from latest`;
  const rows = await sql<{ key: string; unsealed: boolean; gone: boolean }[]>`
    with salts as materialized (
      select * from ${recordset(sql, 's (key_id text, salt bytea)', salts)}
    ),
    latest as materialized (
      select distinct on (key) key, digest, l.key_id
      from seals s join seal_links l using (account_id, no),
        unnest(s.keys, s.digests) as member (key, digest)
      where s.account_id = ${accountId} and s.kind = ${evidence.kind} and s.no > ${sinceNo}
        and key is not null
      order by key, s.no desc
    ),
    fresh as materialized (${freshKeys(sql, evidence, accountId, mark)}),
    present as (${all ? rowsOf(sql, evidence, [accountId]) : namedRows(sql, evidence, [accountId], sealed)})
    select coalesce(latest.key, present.key) as key, latest.key is null as unsealed,
      present.key is null as gone
    from (select latest.key, digest, salt from latest left join salts using (key_id)) as latest
    full join (select key, key as present_key, text from present) as present using (key)
    where (coalesce(latest.key, present.key) not in (select key from fresh)
        or latest.key is not null and ${evidence.settled ?? false}::boolean)
      and case when latest.key is null then ${evidence.strict && all}::boolean
          and (${!isJoinedBy(evidence, accountId)}::boolean or exists (select from latest))
        when present.key is null then true
        else salt is not null and ${digestOf(sql, sql`salt`)} <> digest end
    order by 1 limit ${mostNamed}`;
  return rows.map(({ key, unsealed, gone }) => {
    const name = `${evidence.kind} ${key.replaceAll('|', ' ')}`;
    if (gone) return `${name} was sealed, but does not exist`;
    return unsealed ? `${name} was never sealed` : `${name} differs from its seal`;
  });
}
