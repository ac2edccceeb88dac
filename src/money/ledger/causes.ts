import { type Centavos, decimalText } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { ledgerAccounts } from './chart.ts';

interface Mismatch {
  cause: string;
  kind: string;
  amount: Centavos;
  expected: number;
  actual: number;
}

/**
 * Compares the journals that a noun's rows must have caused, as `(cause, kind, amount)`, with the
 * actual ones. Each must exist once, for its amount, and there must be no others.
 */
export async function checkCauses(
  sql: Queryable,
  accountId: string,
  noun: 'payout' | 'correction' | 'suspense',
  expected: ReturnType<Queryable>,
): Promise<string[]> {
  const rows = await sql<Mismatch[]>`
    with expected as (
      select cause, kind, amount from (${expected}) as entry (cause, kind, amount)
    ),
    actual as (
      select cause, kind, (
        select coalesce(sum(line.amount), 0)::bigint from unnest(accounts, amounts)
          as line (account, amount) where line.account = any(${[ledgerAccounts.holderAvailable, ledgerAccounts.suspense]}::smallint[])
      ) as amount
      from journals where account_id = ${accountId} and starts_with(cause, ${`${noun}:`})
    )
    select cause, kind, amount, sum(expected)::int as expected, sum(actual)::int as actual
    from (
      select cause, kind, amount, 1 as expected, 0 as actual from expected
      union all
      select cause, kind, amount, 0, 1 from actual
    ) as either
    group by cause, kind, amount having sum(expected) <> sum(actual)
    order by cause, kind, amount limit 100`;
  return rows.map(
    ({ cause, kind, amount, expected, actual }) =>
      `${cause} has ${actual} journals of kind ${kind} for ${decimalText(amount)} instead of ${expected}`,
  );
}
