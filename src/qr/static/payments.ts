import { endOf, midnightOf } from '../../kernel/dates.ts';
import type { Centavos } from '../../kernel/money.ts';
import { joinPayments } from '../../money/collections/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { activePeriod } from './state.ts';
import type { QrKey } from './store.ts';

export interface StaticPayment {
  id: number;
  amount: Centavos;
  /** The amount refunded or charged back so far. */
  returned: Centavos;
  paid_at: Temporal.Instant;
  payer: string;
  channel_label: string;
}

export interface StaticPayments {
  rows: StaticPayment[];
  /**
   * Sums of all payments of these days. Null if these days have more transactions than are read.
   */
  total: { count: number; amount: Centavos; returned: Centavos } | null;
}

/** Maximum number of transactions that a page reads, latest first, paid or not. */
export const mostTransactions = 5_000;

interface Asked {
  /** Days, inclusive. Null is open. */
  from: Temporal.PlainDate | null;
  until: Temporal.PlainDate | null;
  /** Cursor: the last id of the previous page. */
  before: number | null;
  limit: number;
}

/** Maximum time from a transaction's expiry to its payment. */
const lateness = { days: 2 };

/** Lists a static QR's payments of some days, newest first, with the sum of all of them. */
export async function listStaticPayments(
  sql: Queryable,
  { accountId, id }: QrKey,
  { from, until, before, limit }: Asked,
): Promise<StaticPayments> {
  const since = from && midnightOf(from);
  // PostgreSQL cannot read the years 0 and 10000, in which nobody pays.
  const end = until && until.year < 9999 ? endOf(until) : null;
  const earliest = from && from.year > 1 ? midnightOf(from.subtract(lateness)) : null;
  // A transaction is active when it is paid, so it expires at most the longest period after `end`.
  const latest = end === null ? null : end.add({ minutes: activePeriod.longest });
  const of = sql`
    chosen as materialized (
      select account_id, id from static_transactions
      where account_id = ${accountId} and static_id = ${id}
        and (${earliest}::timestamptz is null or expires_at >= ${earliest}::timestamptz)
        and (${latest}::timestamptz is null or expires_at <= ${latest}::timestamptz)
      order by expires_at desc, id desc limit ${mostTransactions + 1}
    ),
    payments as (
      select paid.id, paid.amount, paid.refunded + paid.charged_back as returned, paid.paid_at,
        paid.payer, paid.channel_label
      from (select * from chosen limit ${mostTransactions}) as chosen
      ${joinPayments(sql, 'chosen', 'id')}
      where (${since}::timestamptz is null or paid.paid_at >= ${since}::timestamptz)
        and (${end}::timestamptz is null or paid.paid_at < ${end}::timestamptz)
    )`;
  const [rows, [sums]] = await Promise.all([
    sql<StaticPayment[]>`
      with ${of}
      select * from payments where ${before}::bigint is null or id < ${before}::bigint
      order by id desc limit ${limit}`,
    sql<{ read: number; count: number; amount: Centavos; returned: Centavos }[]>`
      with ${of}
      select (select count(*)::int from chosen) as read, count(*)::int as count,
        coalesce(sum(amount), 0)::bigint as amount, coalesce(sum(returned), 0)::bigint as returned
      from payments`,
  ]);
  if (sums === undefined || sums.read > mostTransactions) return { rows, total: null };
  const { count, amount, returned } = sums;
  return { rows, total: { count, amount, returned } };
}
