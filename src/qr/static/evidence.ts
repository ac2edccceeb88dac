import type { Evidence } from '../../seals/index.ts';

/** A printed code never changes. */
export const staticEvidence: Evidence = {
  kind: 'static QR',
  from: 'static_qrs',
  key: { id: 'text' },
  columns: [
    'number',
    'open_amount',
    'multiple_payment',
    'name',
    'city',
    'postal_code',
    'description',
    'payer',
    'payload',
    'created_at',
  ],
  touched: `select account_id, entity_id from touched where entity = 'static_qr'`,
  strict: true,
};
