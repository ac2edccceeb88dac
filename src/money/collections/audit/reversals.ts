import type { Queryable } from '../../../platform/postgres/connect.ts';

/**
 * Checks that each reversal returns a proportional part of the fee, or none, as the account's
 * settings decide. Each part is a difference of two rounded sums, so it is off by at most a
 * centavo. A chargeback returns the fee of what earlier refunds left, and a refund that ends after
 * it returns none. Machines' clocks differ, so of two reversals within seconds either may be first.
 */
async function feesComeBack(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number }[]>`
    with reversal as (
      select r.id, r.type, r.amount, r.net_fee, r.fee_iva, o.net_fee as whole_fee,
        o.fee_iva as whole_iva, o.amount::numeric as whole,
        coalesce(sum(r.amount) filter (where r.type = 'refund') over surely, 0) as refunded_surely,
        coalesce(sum(r.amount) filter (where r.type = 'refund') over maybe, 0) as refunded_maybe,
        count(*) filter (where r.type = 'chargeback') over surely > 0 as charged_back_surely,
        count(*) filter (where r.type = 'chargeback') over maybe > 0 as charged_back_maybe
      from results r
      left join results o on o.account_id = r.account_id and o.id = r.reverses_id
        and o.type = 'collected' and o.request_id = r.request_id and o.channel = r.channel
      where r.account_id = ${accountId} and r.type in ('chargeback', 'refund')
      window surely as (partition by r.reverses_id order by r.informed_at
          range between unbounded preceding and interval '5 seconds' preceding),
        maybe as (partition by r.reverses_id order by r.informed_at
          range between unbounded preceding and interval '5 seconds' following)
    ),
    part as (
      select *,
        case when type = 'chargeback' then whole - refunded_maybe
          when charged_back_maybe then 0 else amount end as gone_least,
        case when type = 'chargeback' then whole - refunded_surely
          when charged_back_surely then 0 else amount end as gone_most
      from reversal
    )
    select id from part
    where whole is null or (net_fee, fee_iva) <> (0, 0) and (
      -net_fee * whole not between whole_fee * gone_least - whole and whole_fee * gone_most + whole
      or -fee_iva * whole
        not between whole_iva * gone_least - whole and whole_iva * gone_most + whole)
    order by id limit 100`;
  return rows.map(({ id }) => `result ${id} returns a fee that is not in proportion to its amount`);
}

/**
 * Checks that the returned part of each withholding is proportional to the reversed part of its
 * payment.
 */
async function withholdingsComeBack(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number }[]>`
    with back as (
      select r.reverses_id as result_id, w.regime, w.jurisdiction, sum(w.amount) as amount
      from withholdings w
      join results r on r.account_id = w.account_id and r.id = w.result_id
        and r.reverses_id is not null
      where w.account_id = ${accountId} group by 1, 2, 3
    ),
    taken as (
      select w.result_id, w.regime, w.jurisdiction, w.amount, o.amount::numeric as whole,
        case when o.charged_back > 0 then o.amount else o.refunded end as gone
      from withholdings w
      join results o on o.account_id = w.account_id and o.id = w.result_id
        and o.type = 'collected'
      where w.account_id = ${accountId}
    )
    select distinct result_id as id
    from taken full join back using (result_id, regime, jurisdiction)
    where coalesce(-back.amount, 0)
      is distinct from div(2 * taken.amount * gone + whole, 2 * nullif(whole, 0))
    order by 1 limit 100`;
  return rows.map(({ id }) => `withholdings of result ${id} were not returned in proportion`);
}

export const partsComeBack = async (sql: Queryable, accountId: string): Promise<string[]> => [
  ...(await feesComeBack(sql, accountId)),
  ...(await withholdingsComeBack(sql, accountId)),
];

/**
 * Checks that each reversal is of a payment of its own request and channel, and dated when it was
 * reported.
 */
export async function reversalsMatch(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; wrong: string[] }[]>`
    select * from (
      select r.id, array_remove(array[
        case when whole.type is distinct from 'collected' then 'reverses_id' end,
        case when whole.request_id <> r.request_id then 'request_id' end,
        case when (whole.channel, whole.channel_label) <> (r.channel, r.channel_label)
          then 'channel' end,
        case when r.paid_at <> r.informed_at then 'paid_at' end
      ], null) as wrong
      from results r
      left join results whole on whole.account_id = r.account_id and whole.id = r.reverses_id
      where r.account_id = ${accountId} and r.type in ('refund', 'chargeback')
    ) as looked where wrong <> '{}' order by id limit 100`;
  return rows.map(
    ({ id, wrong }) =>
      `result ${id} does not match the payment that it reverses: ${wrong.join(', ')}`,
  );
}
