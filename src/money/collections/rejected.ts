import type { Queryable } from '../../platform/postgres/connect.ts';
import { countUpTo } from '../../platform/postgres/count.ts';

const most = 1_000;

/** Counts an account's rejected debits from a day on, up to 1,000. */
export const countRejectedDebits = (
  sql: Queryable,
  accountId: string,
  from: Temporal.PlainDate,
): Promise<number> =>
  countUpTo(
    sql,
    most,
    sql`
      select 1 from results
      where account_id = ${accountId} and informed_on >= ${from}::date and type = 'rejected'
        and kind in ('debit_request', 'card_debit_request')`,
  );

/** Counts an account's chargebacks from a day on, up to 1,000. */
export const countChargebacks = (
  sql: Queryable,
  accountId: string,
  from: Temporal.PlainDate,
): Promise<number> =>
  countUpTo(
    sql,
    most,
    sql`
      select 1 from results
      where account_id = ${accountId} and informed_on >= ${from}::date and type = 'chargeback'`,
  );

export async function chargebacksAmong(
  sql: Queryable,
  accountId: string,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from results
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[]) and type = 'chargeback'`;
  return row?.count ?? 0;
}
