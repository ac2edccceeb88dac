import type { Evidence } from '../seals/index.ts';

export const accountEvidence: Evidence = {
  kind: 'account',
  from: '(select *, id as account_id from accounts)',
  key: { id: 'text' },
  columns: ['name', 'cuit', 'city', 'settings', 'created_at', 'version', 'payout_cbu', 'state'],
  later: ['look', 'next_payout_cbu', 'next_payout_cbu_at', 'asked_look'],
  touched: `select account_id, entity_id from touched where entity = 'account'`,
  strict: false,
};

/** Omits the last use, which is written lazily and records no event. */
export const keyEvidence: Evidence = {
  kind: 'API key',
  from: 'api_keys',
  key: { id: 'bigint' },
  columns: [
    `encode(hash, 'hex')`,
    'name',
    'prefix',
    'permissions',
    'created_at',
    'expires_at',
    'revoked_at',
  ],
  later: ['ranges', 'replaced_by'],
  touched: `select account_id, entity_id::bigint from touched where entity = 'api_key'`,
  strict: true,
};
