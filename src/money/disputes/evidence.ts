import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Evidence } from '../../seals/index.ts';

export const disputeEvidence: Evidence = {
  kind: 'dispute',
  from: 'disputes',
  key: { id: 'bigint' },
  columns: [
    'request_id',
    'attempt_id',
    'connector',
    'name',
    'state',
    'revision',
    'amount',
    'taken',
    'reason',
    'evidence_due_at',
    'opened_at',
    'changed_at',
  ],
  touched: `
    select account_id, (data->>'dispute_id')::bigint from touched
    where data->>'dispute_id' is not null
    union all
    select account_id, value::bigint from (
      select account_id, data from touched where type like '%.payer_erased'
    ) as erased, json_array_elements_text(coalesce(data->'dispute_ids', '[]'))`,
  strict: true,
};

/** Checks that disputes never restore more than was reversed. */
export async function checkRestored(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with restored as (
      select details->>'restores' as id, sum(amount) as amount, sum(net_fee) as fee,
        sum(fee_iva) as iva, sum(withheld) as withheld
      from results where account_id = ${accountId} and type = 'collected'
        and details->>'restores' is not null
      group by 1
    ),
    taken as (
      select coalesce(whole.details->>'restores', whole.id::text) as id, sum(r.amount) as amount,
        -sum(r.net_fee) as fee, -sum(r.fee_iva) as iva, -sum(r.withheld) as withheld
      from results r
      join results whole on whole.account_id = r.account_id and whole.id = r.reverses_id
      where r.account_id = ${accountId} and starts_with(r.source_ref, 'dispute ')
      group by 1
    )
    select id from restored left join taken using (id)
    where restored.amount > coalesce(taken.amount, 0) or restored.fee > coalesce(taken.fee, 0)
      or restored.iva > coalesce(taken.iva, 0) or restored.withheld > coalesce(taken.withheld, 0)
    order by id limit 100`;
  return rows.map(({ id }) => `disputes restored more of result ${id} than they reversed`);
}
