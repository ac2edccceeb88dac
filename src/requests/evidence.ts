import type { Evidence } from '../seals/index.ts';

/**
 * Every change to a request raises its version and records an event. QRs of a batch share the event
 * of their creation.
 */
export const requestEvidence: Evidence = {
  kind: 'request',
  from: 'requests',
  key: { id: 'bigint' },
  columns: [
    'kind',
    'state',
    'version',
    'created_at',
    'reference',
    'payer',
    'description',
    'due1',
    'total1',
    'due2',
    'total2',
    'last_due',
    'code',
    'mandate_id',
    'details::text',
    'state_comment',
  ],
  touched: `
    select account_id, entity_id::bigint from touched
    where entity in ('payment_request', 'debit_request', 'card_debit_request')
    union
    select account_id, r.id from touched join requests r using (account_id)
    where r.code = entity_id and entity = 'qr'
    union
    select account_id, value::bigint from touched, json_array_elements_text(data->'request_ids')
    where entity = 'qr_batch' and type = 'qr_batch.saved'`,
  strict: true,
};
