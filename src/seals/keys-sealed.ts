import type { Queryable } from '../platform/postgres/connect.ts';
import { type Evidence, type Fragment, since, touchedBy } from './evidence.ts';

/**
 * Selects keys of an account's rows of one kind, as `(no, key)`, from up to `most` seals after a
 * given one: the first, or the last if `newest`.
 */
export const sealedKeys = (
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: string },
  { after, most, newest = false }: { after: Fragment; most: number | null; newest?: boolean },
): Fragment => sql`
  select no, unnest(keys) as key from (
    select no, keys from seals
    where account_id = ${accountId} and kind = ${kind} and no > ${after}
    order by no ${newest ? sql`desc` : sql``} limit ${most}
  ) as sealed`;

/** Returns the expression for the number of an account's last seal, 0 without any. */
export const lastSealNo = (sql: Queryable, accountId: string): Fragment => sql`
  (select coalesce(max(no), 0) from seals where account_id = ${accountId})`;

export const sealedAccounts = (sql: Queryable): Fragment => sql`
  (select account_id from seal_marks where account_id <> '') as a`;

/** Tests whether an account `a` has a seal of a kind after a given one. */
export const isSealedAfter = (sql: Queryable, kind: string, after: Fragment): Fragment => sql`
  exists (select from seals s where s.account_id = a.account_id and s.kind = ${kind}
    and s.no > ${after})`;

/** Selects an account's next seal of a kind as `(no, keys)`. */
export const nextSeal = (
  sql: Queryable,
  kind: string,
  { account, after }: { account: Fragment; after: Fragment },
): Fragment => sql`
  (select s.no, s.keys from seals s
    where s.account_id = ${account} and s.kind = ${kind} and s.no > ${after}
    order by s.no limit 1)`;

/** Returns the first transaction whose events in an account may be unsealed. */
export async function unsealedSince(sql: Queryable, accountId: string): Promise<number> {
  const [mark] = await sql<{ next: number }[]>`
    select coalesce(max(next_xid), 0) as next from seal_marks
    where account_id in ('', ${accountId})`;
  return mark?.next ?? 0;
}

/** Selects the keys of an account's rows that events since a transaction affect. */
export function unsealedKeys(
  sql: Queryable,
  { touched }: Evidence,
  accountId: string,
  from: number,
): Fragment {
  if (typeof touched !== 'string') throw new Error('such rows are not named by events');
  return touchedBy(sql, touched, [accountId], since(sql, from, null));
}

/** Selects the keys of an account's rows of one kind that were sealed after an instant. */
export const keysSealedSince = (
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: string },
  moment: Temporal.Instant,
): Fragment => sql`
  select unnest(s.keys) from seals s join seal_links l using (account_id, no)
  where s.account_id = ${accountId} and s.kind = ${kind} and l.sealed_at > ${moment}::timestamptz`;

/**
 * Selects the keys of a kind that were sealed from an instant on, as `(account_id, key)`. `since`
 * selects each account's instant, as `(account_id, at)`.
 */
export const keysSealedLater = (
  sql: Queryable,
  { accountIds, kind }: { accountIds: readonly string[]; kind: string },
  since: Fragment,
): Fragment => sql`
  select since.account_id, unnest(s.keys) as key
  from (${since}) as since
  cross join lateral (
    select coalesce(max(before.no), 0) as no from (
      select l.no from seal_links l
      where l.account_id = any(${accountIds}::text[]) and l.account_id = since.account_id
        and l.sealed_at < since.at
      order by l.no desc limit 1
    ) as before
  ) as last
  join seals s on s.account_id = any(${accountIds}::text[])
    and s.account_id = since.account_id and s.no > last.no and s.kind = ${kind}`;

/**
 * `sealsOfKeys` reads chains of up to `wholeChain` seals as a whole. Of longer ones, it reads
 * `sealsRead` seals from an instant on.
 */
const wholeChain = 600;
const sealsRead = 60;

/**
 * Returns the number of an account's last seal before an instant, or 0. Uses a binary search,
 * because seals are in time order.
 */
async function lastSealBefore(
  sql: Queryable,
  accountId: string,
  { last, moment }: { last: number; moment: Temporal.Instant },
): Promise<number> {
  let [low, high] = [0, last];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [link] = await sql<{ before: boolean }[]>`
      select sealed_at < ${moment}::timestamptz as before from seal_links
      where account_id = ${accountId} and no = ${middle}`;
    if (link?.before) low = middle;
    else high = middle - 1;
  }
  return low;
}

export interface SealPlace {
  no: number;
  at: Temporal.Instant;
}

/**
 * Finds the seals that cover some keys of a kind, searching long chains from an instant on.
 * `isWhole` is true if the whole chain was read, so that a missing key is in no seal.
 */
export async function sealsOfKeys(
  sql: Queryable,
  { accountId, kind }: { accountId: string; kind: string },
  keys: readonly string[],
  moment: Temporal.Instant,
): Promise<{ found: Map<string, SealPlace>; isWhole: boolean }> {
  const [end] = await sql<{ no: number }[]>`select ${lastSealNo(sql, accountId)} as no`;
  const last = end?.no ?? 0;
  const isWhole = last <= wholeChain;
  const after = isWhole ? 0 : await lastSealBefore(sql, accountId, { last, moment });
  const most = isWhole ? null : sealsRead;
  const rows = await sql<{ key: string; no: number; at: Temporal.Instant }[]>`
    select sealed.key, sealed.no, l.sealed_at as at
    from (${sealedKeys(sql, { accountId, kind }, { after: sql`${after}`, most })}) as sealed
    join seal_links l on l.account_id = ${accountId} and l.no = sealed.no
    where sealed.key = any(${[...keys]}::text[])`;
  return { found: new Map(rows.map(({ key, no, at }) => [key, { no, at }])), isWhole };
}
