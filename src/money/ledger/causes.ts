import { type Centavos, decimalText } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { ledgerAccounts } from './chart.ts';

interface Mismatch {
  cause: string;
  kind: string;
  amount: Centavos;
  wanted: number;
  found: number;
}

/**
 * Compares the journals that a noun's rows must have caused, as `(cause, kind, amount)`, with the
 * actual ones. Each must exist once, for its amount, and there must be no others.
 */
export async function checkCauses(
  sql: Queryable,
  accountId: string,
  noun: 'payout' | 'correction' | 'suspense',
  wanted: ReturnType<Queryable>,
): Promise<string[]> {
  const rows = await sql<Mismatch[]>`
    with wanted as (
      select cause, kind, amount from (${wanted}) as told (cause, kind, amount)
    ),
    found as (
      select cause, kind, (
        select coalesce(sum(line.amount), 0)::bigint from unnest(accounts, amounts)
          as line (account, amount) where line.account = any(${[ledgerAccounts.holderAvailable, ledgerAccounts.suspense]}::smallint[])
      ) as amount
      from journals where account_id = ${accountId} and starts_with(cause, ${`${noun}:`})
    )
    select cause, kind, amount, sum(wanted)::int as wanted, sum(found)::int as found
    from (
      select cause, kind, amount, 1 as wanted, 0 as found from wanted
      union all
      select cause, kind, amount, 0, 1 from found
    ) as either
    group by cause, kind, amount having sum(wanted) <> sum(found)
    order by cause, kind, amount limit 100`;
  return rows.map(
    ({ cause, kind, amount, wanted, found }) =>
      `${cause} has ${found} journals of kind ${kind} for ${decimalText(amount)} instead of ${wanted}`,
  );
}
