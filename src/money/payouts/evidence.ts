import type { Queryable } from '../../platform/postgres/connect.ts';
import { type Evidence, stampedFacts } from '../../seals/index.ts';
import { checkCauses } from '../ledger/index.ts';

interface StampedPayout {
  account_id: string;
  id: number;
  reference: string;
  amount: number;
  cbu: string;
  ordered_by: number | null;
  sent_at: Temporal.Instant;
}

export const stampedPayouts = stampedFacts<StampedPayout>(
  'payout',
  'payouts',
  ['reference', 'amount', 'cbu', 'ordered_by'],
  'sent_at',
);

export const payoutEvidence: Evidence = {
  kind: 'payout',
  from: 'payouts',
  key: { id: 'bigint' },
  columns: ['reference', 'state', 'amount', 'cbu', 'sent_at', 'returned_at', 'return_reason'],
  later: ['ordered_by'],
  touched: `select account_id, entity_id::bigint from touched where entity = 'payout'`,
  strict: true,
  stamped: stampedPayouts,
};

/**
 * Checks that each payout has exactly one journal, and one more if it was returned, both for its
 * amount, and that no other journal names a payout.
 */
export const checkPayouts = (sql: Queryable, accountId: string): Promise<string[]> =>
  checkCauses(
    sql,
    accountId,
    'payout',
    sql`
    select 'payout:' || id, 'payout', amount from payouts where account_id = ${accountId}
    union all
    select 'payout:' || id, 'payout_return', -amount from payouts
    where account_id = ${accountId} and state = 'returned'`,
  );
