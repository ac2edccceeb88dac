import type { Queryable } from '../../platform/postgres/connect.ts';
import { type Evidence, stampedFacts } from '../../seals/index.ts';
import { checkCauses } from '../ledger/index.ts';

/** Stamped fields of suspense money. Its recipient is decided later. */
interface StampedSuspense {
  account_id: string;
  id: number;
  channel: string;
  amount: number;
  source: string;
  source_ref: string;
  informed_at: Temporal.Instant;
}

export const stampedSuspense = stampedFacts<StampedSuspense>(
  'suspense',
  'suspense',
  ['channel', 'amount', 'source', 'source_ref'],
  'informed_at',
);

export const suspenseEvidence: Evidence = {
  kind: 'suspense',
  from: 'suspense',
  key: { id: 'bigint' },
  columns: [
    'state',
    'reason',
    'channel',
    'channel_label',
    'code',
    'amount',
    'paid_at',
    'source',
    'source_ref',
    'informed_at',
    'to_account_id',
    'to_request_id',
    'resolved_at',
    'note',
  ],
  touched: `select account_id, entity_id::bigint from touched where entity = 'suspense'`,
  strict: true,
  stamped: stampedSuspense,
};

/**
 * Checks that suspense money has exactly one journal, and one more once it is resolved, both for
 * its amount, and that no other journal names suspense money.
 */
export const checkSuspense = (sql: Queryable, accountId: string): Promise<string[]> =>
  checkCauses(
    sql,
    accountId,
    'suspense',
    sql`
    select 'suspense:' || id, 'suspense', -amount from suspense where account_id = ${accountId}
    union all
    select 'suspense:' || id, 'suspense_' || state, amount from suspense
    where account_id = ${accountId} and state <> 'open'`,
  );

/** Checks that assigned money is a payment of its request, for the same amount. */
export async function checkAssigned(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: number }[]>`
    with assigned as materialized (
      select id, to_account_id, to_request_id, source, source_ref, amount from suspense
      where account_id = ${accountId} and state = 'assigned'
    ),
    matched as materialized (
      select s.id from assigned s
      join results r on r.account_id = s.to_account_id and r.source = s.source
        and r.source_ref = s.source_ref
      where r.request_id = s.to_request_id and r.type = 'collected' and r.amount = s.amount
    )
    select id from assigned where id not in (select id from matched) order by id limit 100`;
  return rows.map(({ id }) => `suspense:${id} was assigned, but no payment was recorded`);
}
