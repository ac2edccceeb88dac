import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { type Forged, keysSealedLater, type SealKeys, stampKeys } from '../../seals/index.ts';
import { forgedAmong, stampedJournals } from './stamp.ts';

/** A pending delta: the sums of journals without a seal. */
export interface Delta {
  account_id: string;
  id: number;
  accounts: number[];
  amounts: number[];
  journal_ids: number[];
}

/** Allowed clock difference between processes. */
const skew = '1 minute';

const deltaKind = 'delta';
const isDelta = ({ kind }: Forged): boolean => kind === deltaKind;

interface Journaled {
  place: number;
  account: number;
  amount: number;
}

const placesOf = (deltas: readonly Delta[]) =>
  deltas.flatMap(({ account_id, journal_ids }, place) =>
    journal_ids.map((id) => ({ place, account_id, id })),
  );

/** Sums the journals of each delta, by the delta's place in the list. */
const sumsOf = (sql: Queryable, deltas: readonly Delta[]) => {
  const named = placesOf(deltas);
  const accountIds = [...new Set(named.map(({ account_id }) => account_id))];
  return sql<Journaled[]>`
    select named.place, line.account, sum(line.amount)::bigint as amount
    from ${recordset(sql, 'named (place int, account_id text, id bigint)', named)}
    join journals j on j.account_id = any(${accountIds}::text[])
      and j.account_id = named.account_id and j.id = named.id,
    unnest(j.accounts, j.amounts) as line (account, amount)
    group by named.place, line.account`;
};

/**
 * Returns the already sealed journals among those of the deltas. Skips seals older than all of an
 * account's journals here, allowing for a minute of clock skew.
 */
const sealedBefore = (sql: Queryable, deltas: readonly Delta[]) => {
  const named = placesOf(deltas);
  const accountIds = [...new Set(named.map(({ account_id }) => account_id))];
  return sql<{ account_id: string; id: number }[]>`
    with named as materialized (
      select named.account_id, named.id, j.at
      from ${recordset(sql, 'named (account_id text, id bigint)', named)}
      join journals j on j.account_id = any(${accountIds}::text[])
        and j.account_id = named.account_id and j.id = named.id
    ),
    since as (
      select account_id, least(min(at), now()) - ${skew}::interval as at from named
      group by account_id
    ),
    sealed as (${keysSealedLater(sql, { accountIds, kind: stampedJournals.kind }, sql`select * from since`)})
    select named.account_id, named.id from named
    join sealed on sealed.account_id = named.account_id and sealed.key = named.id::text`;
};

/** Returns true if the lines of a delta are the sums of its journals. */
function isSum({ accounts, amounts }: Delta, sums: readonly Journaled[]): boolean {
  const left = new Map(sums.map(({ account, amount }) => [account, amount]));
  for (const [index, account] of accounts.entries()) {
    left.set(account, (left.get(account) ?? 0) - (amounts[index] ?? 0));
  }
  return [...left.values()].every((amount) => amount === 0);
}

/**
 * Returns deltas that are not the sums of their journals, do not have their first journal's id, or
 * name a journal that a seal or another delta already counts. Call this before the journals are
 * sealed.
 */
export async function forgedDeltas(sql: Queryable, deltas: readonly Delta[]): Promise<Forged[]> {
  if (deltas.length === 0) return [];
  const sums = Map.groupBy(await sumsOf(sql, deltas), ({ place }) => place);
  const nameOf = (one: { account_id: string; id: number }): string => `${one.account_id} ${one.id}`;
  const counted = new Set((await sealedBefore(sql, deltas)).map(nameOf));
  const forged: Forged[] = [];
  for (const [place, delta] of deltas.entries()) {
    const { account_id, id, journal_ids } = delta;
    const names = journal_ids.map((one) => nameOf({ account_id, id: one }));
    const isTwice = names.some((name) => counted.has(name)) || new Set(names).size < names.length;
    // A delta has the id of its first journal, so no two pending deltas have the same id.
    const isOwn = id === journal_ids[0];
    for (const name of isOwn ? names : []) counted.add(name);
    if (isOwn && !isTwice && isSum(delta, sums.get(place) ?? [])) continue;
    forged.push({ accountId: account_id, kind: deltaKind, id });
  }
  return forged;
}

/** Returns which of the deltas and their journals no process of the service wrote. */
export const forgedIn = async (
  sql: Queryable,
  keys: SealKeys,
  deltas: readonly Delta[],
): Promise<Forged[]> => {
  const named = placesOf(deltas);
  const journals = sql`
    select * from ${recordset(sql, 'named (account_id text, id bigint)', named)}`;
  return [...(await forgedDeltas(sql, deltas)), ...(await forgedAmong(sql, keys, journals))];
};

/**
 * Returns an account's pending deltas and unsealed journals that no process of the service wrote.
 */
export async function forgedWaiting(sql: Queryable, accountId: string): Promise<Forged[]> {
  const waiting = sql`
    select account_id, id, accounts, amounts, journal_ids from balance_deltas
    where account_id = ${accountId}`;
  const found = await forgedIn(
    sql,
    await stampKeys(sql),
    await sql<Delta[]>`select * from (${waiting}) as waiting order by id`,
  );
  if (!found.some(isDelta)) return found;
  // A delta folded since then has its journals in a seal, which the sealer checked.
  const left = await sql<Pick<Delta, 'id'>[]>`select id from (${waiting}) as waiting`;
  const ids = new Set(left.map(({ id }) => id));
  return found.filter((one) => !isDelta(one) || ids.has(one.id));
}
