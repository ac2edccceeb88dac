import type { Queryable } from '../../platform/postgres/connect.ts';
import { ledgerAccountName } from './chart.ts';
import { checkLedgerDays } from './days/days.ts';
import { journalEvidence } from './seal.ts';
import { readBalances } from './store.ts';

/**
 * Checks that each of an account's journals sums to zero, and that all together make up its
 * balances.
 */
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

/** Checks that each journal is in exactly one seal or pending delta. */
async function auditCoverage(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; covered: number; exists: boolean }[]>`
    with covered as (
      select id, count(*)::int as times from (
        select unnest(keys)::bigint as id from seals
        where account_id = ${accountId} and kind = ${journalEvidence.kind}
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
      ? `journal ${row.id} is in ${row.covered} seals and deltas, not in one`
      : `journal ${row.id} is in a seal or delta, but does not exist`,
  );
}

/**
 * Returns an account's faults in the ledger: sums, balances, days, and journals not counted exactly
 * once.
 */
export async function auditLedger(sql: Queryable, accountId: string): Promise<string[]> {
  return [
    ...(await auditBalances(sql, accountId)),
    ...(await auditCoverage(sql, accountId)),
    ...(await checkLedgerDays(sql, accountId)),
  ];
}
