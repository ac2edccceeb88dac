import type { Queryable } from '../../platform/postgres/connect.ts';

/**
 * Sums the refunds of `result` that the operator transfers, which its channel does not know about.
 * Append it to a join of that result.
 */
export const transferredSum = (sql: Queryable, state: 'requested' | 'done') => sql`(
  select coalesce(sum(back.amount), 0)::bigint from refunds back
  where back.account_id = result.account_id and back.request_id = result.request_id
    and back.result_id = result.id and back.way = 'transfer' and back.state = ${state}
)`;
