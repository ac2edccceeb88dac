import type { Centavos } from '../kernel/money.ts';
import { decimalText } from '../kernel/money.ts';
import { channels } from '../money/channels/index.ts';
import { ledgerAccounts } from '../money/ledger/index.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { ReportName } from './names.ts';

const { holderAvailable, feeIncome, vatPayable, withholdingsPayable } = ledgerAccounts;

/** Clearing accounts of the channels, and the operator's bank account. */
const moneyAccounts = [
  ...Object.values(channels).map(({ clearing }) => clearing),
  ledgerAccounts.clearingPayouts,
];

interface Difference {
  report: ReportName | 'fees of collection';
  day: Temporal.PlainDate;
  shown: Centavos;
  booked: Centavos;
}

/**
 * Compares each day's totals of all reports except settlement with its journals. Returns up to 100
 * differences.
 */
async function daysDiffer(sql: Queryable, accountId: string): Promise<Difference[]> {
  return await sql<Difference[]>`
    with shown as (
      select case type when 'collected' then 'collection' else type end as report,
        informed_on as day, sum(amount) as amount
      from results where account_id = ${accountId} and type <> 'rejected' group by 1, 2
      union all
      select 'fees of collection', informed_on, sum(net_fee + fee_iva)
      from results where account_id = ${accountId} and type = 'collected' group by 2
      union all
      select 'retentions', informed_on, sum(amount)
      from withholdings where account_id = ${accountId} group by 2
    ),
    line as (
      select kind, on_date as day, l.account, l.amount
      from journals, unnest(accounts, amounts) as l (account, amount)
      where account_id = ${accountId}
    ),
    booked as (
      select kind as report, day,
        sum(case kind when 'collection' then amount else -amount end) as amount
      from line
      -- The clearing accounts of channels, and the operator's bank for refunds by transfer.
      where account = any(${moneyAccounts}::smallint[])
        and kind in ('collection', 'chargeback', 'refund')
      group by 1, 2
      union all
      select 'fees of collection', day, -sum(amount) from line
      where account = any(${[feeIncome, vatPayable]}::smallint[]) and kind = 'collection' group by 2
      union all
      select 'retentions', day, -sum(amount) from line where account = ${withholdingsPayable} group by 2
    )
    select report, day, coalesce(shown.amount, 0)::bigint as shown,
      coalesce(booked.amount, 0)::bigint as booked
    from shown full join booked using (report, day)
    where coalesce(shown.amount, 0) <> coalesce(booked.amount, 0)
    order by day, report limit 100`;
}

/**
 * Compares the settlement reports with the available balance, which is stored separately. Returns
 * null if they agree.
 */
async function settlementDiffers(
  sql: Queryable,
  accountId: string,
): Promise<{ settled: Centavos; available: Centavos } | null> {
  const [row] = await sql<{ settled: Centavos; available: Centavos }[]>`
    select settled::bigint, available::bigint from (
      select
        (select coalesce(-sum(line.amount), 0)
          from journals, unnest(accounts, amounts) as line (account, amount)
          where account_id = ${accountId} and ${holderAvailable}::smallint = any (accounts)
            and line.account = ${holderAvailable}) as settled,
        (select coalesce(-sum(amount), 0) from (
          select amount from balances where account_id = ${accountId} and ledger_account = ${holderAvailable}
          union all
          select line.amount from balance_deltas, unnest(accounts, amounts) as line (account, amount)
          where account_id = ${accountId} and line.account = ${holderAvailable}
        ) as parts) as available
    ) as sums where settled <> available`;
  return row ?? null;
}

/** Returns the mismatches between an account's reports and its ledger, as sentences. */
export async function auditReports(sql: Queryable, accountId: string): Promise<string[]> {
  const days = await daysDiffer(sql, accountId);
  const settlement = await settlementDiffers(sql, accountId);
  return [
    ...days.map(
      ({ report, day, shown, booked }) =>
        `the report ${report} of ${day} shows ${decimalText(shown)}, ` +
        `but the ledger has ${decimalText(booked)}`,
    ),
    ...(settlement === null
      ? []
      : [
          `the settlement reports of all days sum to ${decimalText(settlement.settled)}, ` +
            `but the available balance is ${decimalText(settlement.available)}`,
        ]),
  ];
}
