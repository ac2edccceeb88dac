import type { Sql } from '../../src/platform/postgres/connect.ts';
import { accountId } from './rows.ts';
import { type Filled, reserveIds } from './store.ts';

const daysOfYear = 365;

/** Today in Argentina, when due money is released and the books are still open. */
const today = (sql: Sql) => sql`(now() at time zone interval '-03:00')::date`;

/** Pays requests on every day of the last year, through all payer channels. */
async function fillResults(sql: Sql, { first, count }: Filled, id: number): Promise<void> {
  await sql`
    insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
      net_fee, fee_iva, unreleased, paid_at, informed_at, informed_on, available_on, released_on,
      source, source_ref, reference, payer, description, details)
    select ${accountId}, ${id}::bigint + no, ${first}::bigint + no, 'payment_request', 'collected',
      (array['credit_card', 'debit_card', 'banelco_pmc', 'link_pagos', 'DEBIN', 'wire_transfer',
        'non_banking', 'qr'])[1 + no % 8],
      'bench', 143050, 3576, 751, case when released then 0 else 138723 end, day + interval '12 hours',
      day + interval '15 hours', day, day + 4, case when released then day + 4 end, 'bench',
      'year:' || no, 'contract-' || no, 'Ana', 'Cuota', '{}'
    from generate_series(0, ${count - 1}::bigint) as no
    cross join lateral (
      select ${today(sql)} - 1 - (${daysOfYear}::bigint * (${count}::bigint - 1 - no) / ${count}::bigint)::int
    ) as one (day)
    cross join lateral (select day <= ${today(sql)} - 4) as two (released)`;
  await sql`
    update requests set state = 'paid', version = 2
    where account_id = ${accountId} and id between ${first} and ${first + count - 1}`;
}

/** Writes the results' journals and their folded sums. */
async function fillBooks(sql: Sql, { count }: Filled, id: number): Promise<void> {
  const of = sql`account_id = ${accountId} and id between ${id} and ${id + 2 * count - 1}`;
  await sql`
    insert into journals (account_id, id, kind, result_id, request_id, at, on_date, accounts, amounts)
    select account_id, id, 'collection', id, request_id, informed_at, informed_on,
      '{107,1,3,4}'::smallint[], '{143050,-138723,-3576,-751}'::bigint[]
    from results where ${of}
    union all
    select account_id, id + ${count}, 'release', id, request_id, informed_at + interval '4 days',
      released_on, '{1,2}', '{138723,-138723}'
    from results where ${of} and released_on is not null`;
  await sql`
    insert into daily_totals (account_id, day, channel, type, results, amount, net_fee, fee_iva, withheld)
    select account_id, informed_on, channel, type, count(*), sum(amount), sum(net_fee), sum(fee_iva), 0
    from results where ${of} group by 1, 2, 3, 4`;
  await sql`
    insert into ledger_days (account_id, ledger_account, day, kind, debits, debit, credits, credit)
    select account_id, line.account, on_date, kind, count(*) filter (where line.amount > 0),
      coalesce(sum(line.amount) filter (where line.amount > 0), 0),
      count(*) filter (where line.amount < 0),
      coalesce(-sum(line.amount) filter (where line.amount < 0), 0)
    from journals, unnest(accounts, amounts) as line (account, amount)
    where ${of} and on_date < ${today(sql)} group by 1, 2, 3, 4`;
  await sql`
    insert into balances (account_id, ledger_account, amount)
    select account_id, line.account, sum(line.amount)
    from journals, unnest(accounts, amounts) as line (account, amount) where ${of} group by 1, 2`;
}

/** Gives an empty account a year of payments. */
export async function fillYear(sql: Sql, requests: Filled): Promise<void> {
  const id = await reserveIds(sql, 'record_ids', 2 * requests.count);
  await fillResults(sql, requests, id);
  await fillBooks(sql, requests, id);
}
