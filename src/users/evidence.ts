import type { Evidence } from '../seals/index.ts';

/** Who may do what for an account: a role that was changed past the service is found. */
export const membershipEvidence: Evidence = {
  kind: 'membership',
  from: 'memberships',
  key: { user_id: 'bigint' },
  columns: ['role', 'state', 'created_at', 'version'],
  touched: `select account_id, entity_id::bigint from touched where entity = 'membership'`,
  strict: true,
};
