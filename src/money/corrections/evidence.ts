import type { Queryable } from '../../platform/postgres/connect.ts';
import { type Evidence, stampedFacts } from '../../seals/index.ts';
import { checkCauses } from '../ledger/index.ts';

interface StampedCorrection {
  account_id: string;
  id: number;
  reference: string;
  amount: number;
  note: string;
  posted_at: Temporal.Instant;
}

export const stampedCorrections = stampedFacts<StampedCorrection>(
  'correction',
  'corrections',
  ['reference', 'amount', 'note'],
  'posted_at',
);

export const correctionEvidence: Evidence = {
  kind: 'correction',
  from: 'corrections',
  key: { id: 'bigint' },
  columns: ['reference', 'amount', 'note', 'posted_at'],
  touched: `select account_id, entity_id::bigint from touched where entity = 'correction'`,
  settled: true,
  strict: true,
  stamped: stampedCorrections,
};

/**
 * Checks that each correction has exactly one journal, for its amount, and that no other journal
 * names a correction.
 */
export const checkCorrections = (sql: Queryable, accountId: string): Promise<string[]> =>
  checkCauses(
    sql,
    accountId,
    'correction',
    sql`
    select 'correction:' || id, 'correction', -amount from corrections
    where account_id = ${accountId}`,
  );
