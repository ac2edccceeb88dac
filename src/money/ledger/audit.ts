import type { Queryable } from '../../platform/postgres/connect.ts';
import { ledgerAccountName } from './chart.ts';
import { chainHash, sealedText } from './seal.ts';
import { readBalances } from './store.ts';

/** Something in an account's books that does not match. */
export interface AuditFault {
  accountId: string;
  what: string;
}

/** Re-adds the whole journal of an account and compares it with every balance. */
async function auditBalances(sql: Queryable, accountId: string): Promise<string[]> {
  const unbalanced = await sql<{ id: number }[]>`
    select id from journals where account_id = ${accountId} and sum_of(amounts) <> 0
    order by id limit 100`;
  const sums = await sql<{ account: number; amount: number }[]>`
    select line.account, sum(line.amount)::bigint as amount
    from journals, unnest(accounts, amounts) as line (account, amount)
    where account_id = ${accountId} group by line.account`;
  const journaled = new Map(sums.map((row) => [row.account, row.amount]));
  const balances = await readBalances(sql, accountId);
  const codes = new Set([...journaled.keys(), ...balances.keys()]);
  const wrong = [...codes].filter(
    (code) => (journaled.get(code) ?? 0) !== (balances.get(code) ?? 0),
  );
  return [
    ...unbalanced.map((row) => `journal ${row.id} does not sum to zero`),
    ...wrong.map(
      (code) =>
        `ledger account ${ledgerAccountName(code)}: balance ${balances.get(code) ?? 0}, ` +
        `journal ${journaled.get(code) ?? 0} centavos`,
    ),
  ];
}

/** Each journal belongs to exactly one seal or one waiting delta. */
async function auditCoverage(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; covered: number; exists: boolean }[]>`
    with covered as (
      select id, count(*)::int as times from (
        select unnest(journal_ids) as id from seals where account_id = ${accountId}
        union all
        select unnest(journal_ids) from balance_deltas where account_id = ${accountId}
      ) as ids group by id
    )
    select coalesce(j.id, c.id) as id, coalesce(c.times, 0) as covered, j.id is not null as exists
    from (select id from journals where account_id = ${accountId}) j
    full join covered c on c.id = j.id
    where j.id is null or c.times is distinct from 1
    order by 1 limit 100`;
  return rows.map((row) =>
    row.exists
      ? `journal ${row.id} is counted ${row.covered} times in seals and deltas`
      : `journal ${row.id} was counted, but it is not there`,
  );
}

/** Recomputes the hash chain, which shows any later change of a sealed journal. */
async function auditChain(sql: Queryable, accountId: string): Promise<string[]> {
  let last: Buffer | null = null;
  let expected = 1;
  const seals = sql<{ no: number; hash: Buffer; texts: string[] }[]>`
    select no, hash, (
      select coalesce(array_agg(${sealedText(sql)} order by id), '{}') from journals j
      where j.account_id = s.account_id and j.id = any(s.journal_ids)
    ) as texts
    from seals s where account_id = ${accountId} order by no`;
  for await (const rows of seals.cursor(200)) {
    for (const seal of rows) {
      if (seal.no !== expected) return [`seal ${expected} is missing`];
      last = chainHash(last, seal.texts);
      if (!last.equals(seal.hash)) return [`seal ${seal.no} does not match its journals`];
      expected += 1;
    }
  }
  return [];
}

/** Audits an account's books from one snapshot; an empty list means that everything adds up. */
export async function auditLedger(sql: Queryable, accountId: string): Promise<AuditFault[]> {
  const faults = [
    ...(await auditBalances(sql, accountId)),
    ...(await auditCoverage(sql, accountId)),
    ...(await auditChain(sql, accountId)),
  ];
  return faults.map((what) => ({ accountId, what }));
}
