import { operatorBooks } from '../../accounts/index.ts';
import type { Evidence } from '../../seals/index.ts';

/** Sealed with the operator's books, even if an account owns the money. */
export const moneyAlarmEvidence: Evidence = {
  kind: 'alarm',
  from: `(select '${operatorBooks}'::text as account_id, id, kind, fact, message, connector,
    account_id as whose, request_id, attempt_id, result_id, suspense_id, amount, raised_at,
    closed_at, closed_by, note from money_alarms)`,
  key: { id: 'bigint' },
  columns: [
    'kind',
    'fact',
    'message',
    'connector',
    'whose',
    'request_id',
    'attempt_id',
    'result_id',
    'suspense_id',
    'amount',
    'raised_at',
    'closed_at',
    'closed_by',
    'note',
  ],
  touched: `select account_id, entity_id::bigint from touched where entity = 'alarm'`,
  strict: true,
};
