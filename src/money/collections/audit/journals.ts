import type { Queryable } from '../../../platform/postgres/connect.ts';
import { channels } from '../../channels/index.ts';
import { ledgerAccounts } from '../../ledger/index.ts';

const {
  holderUnavailable,
  holderAvailable,
  feeIncome,
  vatPayable,
  withholdingsPayable,
  refundsInProgress,
  clearingPayouts,
} = ledgerAccounts;

/**
 * Selects the amount that a journal `j` posts to a ledger account, or 0. A journal has at most one
 * line per account.
 */
const on = (sql: Queryable, account: number | ReturnType<Queryable>) => sql`
  coalesce(j.amounts[array_position(j.accounts, (${account})::smallint)], 0)`;

/** Selects the clearing account of payouts if the operator transferred the refund, else null. */
const givenBackFrom = (sql: Queryable) => sql`
  case when r.source = 'refund' then ${clearingPayouts}::int end`;

const clearings = (sql: Queryable) => sql`
  select * from unnest(${Object.keys(channels)}::text[],
    ${Object.values(channels).map(({ clearing }) => clearing)}::int[]) as c (channel, account)`;

/**
 * Checks that every result that moved money has exactly one journal of its kind and time. The
 * journal has the result's amount on its channel's clearing account (or that of payouts for a
 * transferred refund), fee, VAT and withholdings on theirs, and the rest in the holder's balances
 * or in refunds in progress.
 */
export async function resultsHaveJournals(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; found: number }[]>`
    with clearing as (${clearings(sql)})
    select r.id, count(j.id)::int as found from results r
    left join clearing c on c.channel = r.channel
    left join journals j on j.account_id = r.account_id and j.result_id = r.id
      and j.kind = case r.type when 'collected' then 'collection' else r.type end
      and j.request_id = r.request_id and j.on_date = r.informed_on and j.at = r.informed_at
      and ${on(sql, sql`c.account`)} + ${on(sql, givenBackFrom(sql))} = case r.type when 'collected' then r.amount else -r.amount end
      and ${on(sql, feeIncome)} = -r.net_fee and ${on(sql, vatPayable)} = -r.fee_iva
      and ${on(sql, withholdingsPayable)} = -r.withheld
      and ${on(sql, holderUnavailable)} + ${on(sql, holderAvailable)}
        + ${on(sql, refundsInProgress)}
        = case r.type when 'collected' then -r.amount else r.amount end
          + r.net_fee + r.fee_iva + r.withheld
      and (r.type <> 'collected' or ${on(sql, holderAvailable)} = 0)
    where r.account_id = ${accountId} and r.type <> 'rejected'
    group by r.id having count(j.id) <> 1 order by r.id limit 100`;
  return rows.map(
    (row) => `result ${row.id} has ${row.found} journals of its kind and amounts, not one`,
  );
}

/** Checks that every result that a journal names exists and is of the same request. */
export async function journalsHaveResults(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; there: boolean }[]>`
    select j.id, r.id is not null as there from journals j
    left join results r on r.account_id = j.account_id and r.id = j.result_id
    where j.account_id = ${accountId} and j.result_id is not null
      and (r.id is null or r.request_id is distinct from j.request_id)
    order by j.id limit 100`;
  return rows.map(({ id, there }) =>
    there
      ? `journal ${id} names another request than its result`
      : `journal ${id} names a result that does not exist`,
  );
}
