import type { Evidence } from '../../seals/index.ts';

/** The owner of a CVU decides which request its transfers pay. */
export const transferAccountEvidence: Evidence = {
  kind: 'transfer account',
  from: 'transfer_accounts',
  key: { cvu: 'text' },
  columns: ['request_id', 'connector', 'opened_at'],
  touched: `select account_id, entity_id from touched where entity = 'transfer_account'`,
  strict: true,
};
