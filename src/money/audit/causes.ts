import type { Centavos } from '../../kernel/money.ts';
import { decimalText } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

interface Mismatch {
  cause: string;
  kind: string;
  amount: Centavos;
  wanted: number;
  found: number;
}

/**
 * Every payout, correction and sum in suspense has its journals, once and for its amount, and every
 * journal that no result caused belongs to one of them.
 */
export async function causesHaveJournals(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<Mismatch[]>`
    with wanted (cause, kind, amount) as (
      select 'payout:' || id, 'payout', amount from payouts where account_id = ${accountId}
      union all
      select 'payout:' || id, 'payout_return', -amount from payouts
      where account_id = ${accountId} and state = 'returned'
      union all
      select 'correction:' || id, 'correction', -amount from corrections
      where account_id = ${accountId}
      union all
      select 'suspense:' || id, 'suspense', -amount from suspense where account_id = ${accountId}
      union all
      select 'suspense:' || id, 'suspense_' || state, amount from suspense
      where account_id = ${accountId} and state <> 'open'
    ),
    found as (
      select cause, kind, (
        select coalesce(sum(line.amount), 0)::bigint from unnest(accounts, amounts)
          as line (account, amount) where line.account in (2, 6)
      ) as amount
      from journals where account_id = ${accountId} and cause is not null
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
      `${cause} has ${found} journals ${kind} of ${decimalText(amount)} instead of ${wanted}`,
  );
}

/** What was assigned to a request is a payment of that request, of the same amount. */
export async function assignedIsCollected(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number }[]>`
    select s.id from suspense s
    where s.account_id = ${accountId} and s.state = 'assigned' and not exists (
      select from results r
      where r.account_id = s.to_account_id and r.source = s.source and r.source_ref = s.source_ref
        and r.request_id = s.to_request_id and r.type = 'collected' and r.amount = s.amount)
    order by s.id limit 100`;
  return rows.map(({ id }) => `suspense:${id} was assigned, but no payment was recorded`);
}
