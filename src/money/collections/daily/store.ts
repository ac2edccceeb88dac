import { everyAccount } from '../../../accounts/index.ts';
import type { Centavos } from '../../../kernel/money.ts';
import type { Queryable } from '../../../platform/postgres/connect.ts';
import type { ChannelCode } from '../../channels/index.ts';
import {
  type Folding,
  type JournalKind,
  journalsUnfolded,
  resultsOfJournals,
} from '../../ledger/index.ts';
import type { ResultType } from '../result.ts';

type Fragment = ReturnType<Queryable>;

const kinds = ['collection', 'refund', 'chargeback'] satisfies JournalKind[];

export interface DailyRow {
  day: Temporal.PlainDate;
  channel: ChannelCode;
  type: Exclude<ResultType, 'rejected'>;
  results: number;
  amount: Centavos;
  net_fee: Centavos;
  fee_iva: Centavos;
  withheld: Centavos;
}

const sums = (sql: Queryable): Fragment => sql`
  sum(amount)::bigint as amount, sum(net_fee)::bigint as net_fee, sum(fee_iva)::bigint as fee_iva,
  sum(withheld)::bigint as withheld`;

const totalsOf = (sql: Queryable, from: Fragment): Fragment => sql`
  select informed_on as day, channel, type, count(*) as results, ${sums(sql)}
  from ${from} group by informed_on, channel, type`;

const resultsOf = (sql: Queryable, accountId: string, of: Fragment): Fragment => sql`
  results where account_id = ${accountId}
    and id = any(array(${resultsOfJournals(sql, accountId, { kinds, of })}))`;

/** Folds totals of results. Each journal of these kinds has one result. */
export const dailyTotals: Folding = {
  name: 'daily totals',
  mark: (sql, accountId) => sql`
    select m.seal_no from daily_total_marks m where m.account_id = ${accountId}`,
  intoMarks: (sql) => sql`insert into daily_total_marks (account_id, seal_no)`,
  accounts: everyAccount,
  add: (sql, accountId, journals) => sql`
    insert into daily_totals as t (account_id, day, channel, type, results, amount, net_fee,
      fee_iva, withheld)
    select ${accountId}, day, channel, type, results, amount, net_fee, fee_iva, withheld
    from (${totalsOf(sql, resultsOf(sql, accountId, journals))}) as sums
    on conflict (account_id, day, channel, type) do update set
      results = t.results + excluded.results, amount = t.amount + excluded.amount,
      net_fee = t.net_fee + excluded.net_fee, fee_iva = t.fee_iva + excluded.fee_iva,
      withheld = t.withheld + excluded.withheld`,
};

/** Combines folded totals with those of journals that are not folded yet. */
const allTotals = (sql: Queryable, accountId: string, days: (day: Fragment) => Fragment) => {
  const unfolded = journalsUnfolded(sql, dailyTotals, accountId);
  return sql`
    select day, channel, type, sum(results)::bigint as results, ${sums(sql)}
    from (
      select day, channel, type, results, amount, net_fee, fee_iva, withheld from daily_totals
      where account_id = ${accountId} and ${days(sql`day`)}
      union all
      select * from (${totalsOf(sql, resultsOf(sql, accountId, unfolded))}) as late
      where ${days(sql`day`)}
    ) as parts
    group by day, channel, type`;
};

/** Reads the totals of the days from `from` to `to`, inclusive, by day, channel and type. */
export async function readTotals(
  sql: Queryable,
  accountId: string,
  { from, to }: { from: Temporal.PlainDate; to: Temporal.PlainDate },
): Promise<DailyRow[]> {
  const days = (day: Fragment) => sql`${day} between ${from}::date and ${to}::date`;
  return await sql<DailyRow[]>`${allTotals(sql, accountId, days)} order by day, channel, type`;
}

export async function wrongTotals(
  sql: Queryable,
  accountId: string,
): Promise<Pick<DailyRow, 'day' | 'channel' | 'type'>[]> {
  const recorded = sql`results where account_id = ${accountId} and type <> 'rejected'`;
  return await sql<Pick<DailyRow, 'day' | 'channel' | 'type'>[]>`
    select day, channel, type
    from (${totalsOf(sql, recorded)}) as counted
    full join (${allTotals(sql, accountId, () => sql`true`)}) as told using (day, channel, type)
    where row(counted.results, counted.amount, counted.net_fee, counted.fee_iva, counted.withheld)
      is distinct from row(told.results, told.amount, told.net_fee, told.fee_iva, told.withheld)
    order by 1, 2, 3 limit 100`;
}
