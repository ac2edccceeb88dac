import type { Queryable } from '../../platform/postgres/connect.ts';
import { type Evidence, stampedFacts } from '../../seals/index.ts';
import { ledgerAccounts } from '../ledger/chart.ts';
import type { RefundRow } from './refund.ts';

/** Stamps a refund as it was requested. Its end is sealed later. */
export const stampedRefunds = stampedFacts<RefundRow>(
  'refund',
  'refunds',
  [
    'request_id',
    'result_id',
    'reference',
    'amount',
    'way',
    'cbu',
    'held',
    'held_unavailable',
    'refunded_before',
    'asked_by',
  ],
  'requested_at',
);

export const refundEvidence: Evidence = {
  kind: 'refund',
  from: 'refunds',
  key: { id: 'bigint' },
  columns: [
    'request_id',
    'result_id',
    'reference',
    'amount',
    'state',
    'way',
    'cbu',
    'held',
    'held_unavailable',
    'refunded_before',
    'requested_at',
    'ended_at',
    'comment',
  ],
  later: ['asked_by'],
  touched: `
    select account_id, (data->>'refund_id')::bigint from touched
    where data->>'refund_id' is not null
    union all
    select account_id, value::bigint from (
      select account_id, data from touched where type like '%.payer_erased'
    ) as erased, json_array_elements_text(coalesce(data->'refund_ids', '[]'))`,
  strict: true,
  stamped: stampedRefunds,
};

/** Checks that amounts reserved and restored for refunds match the journals. */
async function checkJournals(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number }[]>`
    with asked as (
      select result_id as id, sum(held) as held,
        coalesce(sum(held) filter (where state = 'failed'), 0) as undone
      from refunds where account_id = ${accountId} group by 1
    ),
    posted as (
      select result_id as id, -sum(line.amount) filter (where kind = 'refund_hold') as held,
        coalesce(sum(line.amount) filter (where kind = 'refund_undone'), 0) as undone
      from journals, unnest(accounts, amounts) as line (account, amount)
      where account_id = ${accountId} and kind in ('refund_hold', 'refund_undone')
        and line.account = ${ledgerAccounts.refundsInProgress}
      group by 1
    )
    select id from asked full join posted using (id)
    where coalesce(asked.held, 0) <> coalesce(posted.held, 0)
      or coalesce(asked.undone, 0) <> coalesce(posted.undone, 0)
    order by id limit 100`;
  return rows.map(
    ({ id }) => `the amounts reserved for refunds of result ${id} differ from its journals`,
  );
}

/** Checks that each completed refund has one result for its amount, and others have none. */
async function checkResults(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number; state: string; found: number }[]>`
    select f.id, f.state, count(r.id)::int as found from refunds f
    left join results r on r.account_id = f.account_id and r.source = 'refund'
      and r.source_ref = f.id::text and r.type = 'refund' and r.amount = f.amount
      and r.reverses_id = f.result_id and r.request_id = f.request_id
    where f.account_id = ${accountId}
    group by f.id, f.state having count(r.id) <> case f.state when 'done' then 1 else 0 end
    order by f.id limit 100`;
  return rows.map(
    ({ id, state, found }) => `refund ${id} is ${state}, but has ${found} matching results`,
  );
}

/** Checks that reserved amounts match the open refunds. */
async function checkAside(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number }[]>`
    select r.id from results r
    left join (
      select result_id as id, sum(amount) as amount from refunds
      where account_id = ${accountId} and state = 'requested' group by 1
    ) as asked using (id)
    where r.account_id = ${accountId} and r.refunding <> coalesce(asked.amount, 0)
    order by r.id limit 100`;
  return rows.map(({ id }) => `result ${id} does not add up: refunding`);
}

export const refundChecks = [checkJournals, checkResults, checkAside];
