import { operatorBooks } from '../accounts/index.ts';
import type { Evidence } from '../seals/index.ts';

/** Detects memberships whose role or state was changed outside the service. */
export const membershipEvidence: Evidence = {
  kind: 'membership',
  from: 'memberships',
  key: { user_id: 'bigint' },
  columns: ['role', 'state', 'created_at', 'version'],
  touched: `select account_id, entity_id::bigint from touched where entity = 'membership'`,
  strict: true,
};

/**
 * Detects users changed outside the service, such as a password or service role set by SQL. Sealed
 * in the operator's books.
 */
export const userEvidence: Evidence = {
  kind: 'user',
  from: `(select '${operatorBooks}'::text as account_id, id, email, email_key, name, lang, state,
    service_role, password_hash, created_at, version, totp_since, former_hashes from users)`,
  key: { id: 'bigint' },
  columns: [
    'email',
    'email_key',
    'name',
    'lang',
    'state',
    'service_role',
    'password_hash',
    'created_at',
    'version',
    'totp_since',
    'former_hashes',
  ],
  touched: `select account_id, entity_id::bigint from touched where entity = 'user'`,
  strict: true,
  joined: true,
};
