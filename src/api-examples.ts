import { sandboxResolveToken } from './config/index.ts';
import { declared } from './declared/index.ts';
import type { Earlier, Examples } from './platform/http/examples.ts';

const day = '10-12-2030';
const laterDay = '20-12-2030';
const past = '20-11-2026';

const earlier = (
  variable: string,
  call: string,
  pointer: Earlier['pointer'],
  part?: RegExp,
): Earlier => ({ variable, call, pointer, ...(part && { part }) });

// bounded: our own addresses
const lastPart = /[^/]+$/;
const qrString = earlier('QR_STRING', 'POST /create-qr', ['qr_string']);
const webhookId = earlier('WEBHOOK_ID', 'POST /webhook', ['id']);
const eventId = earlier('EVENT_ID', 'GET /event', ['data', 0, 'id']);

const debit = {
  adhesion_id: 1,
  description: 'Cuota de diciembre',
  first_due_date: day,
  first_total: 1430.5,
};

const cardDebit = {
  card_adhesion_id: 1,
  month: 12,
  year: 2030,
  amount: 1430.5,
  description: 'Cuota de diciembre',
};

const adhesionBody = {
  adhesion: {
    adhesion_holder_name: 'Ana Pérez',
    email: 'ana@example.com',
    description: 'Cuota social del club',
    short_description: 'Cuota social',
    cbu_number: '0110599500000123456784',
    cbu_holder_name: 'Ana María Pérez',
    cbu_holder_id_number: 20_055_361_682,
    external_reference: 'socio 17',
  },
};

const paymentRequestBody = {
  payment_request: {
    description: 'Cuota de diciembre',
    first_due_date: day,
    first_total: 1430.5,
    second_due_date: laterDay,
    second_total: 1500,
    payer_name: 'Ana Pérez',
    payer_email: 'ana@example.com',
    external_reference: 'socio 17',
    excluded_channels: ['wire_transfer'],
    metadata: { member: 17 },
    items: [{ quantity: 1, description: 'Cuota', amount: 1430.5 }],
  },
};

const cardAdhesionBody = {
  card_adhesion: {
    adhesion_holder_name: 'Ana Pérez',
    email: 'ana@example.com',
    description: 'Cuota social del club',
    card_holder_name: 'ANA M PEREZ',
    card_number: '4507990000004905',
    external_reference: 'socio 17',
  },
};

/** A CBU for refunds whose channel cannot return money. */
const payerCbu = '0110599500000123456784';

const qr = (id: string) => ({
  id,
  city: 'Rosario',
  multiple_payment: false,
  external_reference: 'socio 17',
  description: 'Cuota de diciembre',
  first_total: 1430.5,
  first_due_date: day,
  payer_name: 'Ana Pérez',
});

/**
 * An example of every call. Sent in order to a new sandbox, each succeeds. The ids are those of a
 * new sandbox.
 */
export const apiExamples: Examples = {
  'POST /payment-request': {
    body: paymentRequestBody,
  },
  'GET /payment-request': { query: { external_reference: 'socio 17', limit: 10 } },
  'GET /payment-request/{id}': { path: { id: 1 } },
  'GET /barcode/{file}': {
    path: { file: earlier('BARCODE', 'POST /payment-request', ['barcode_url'], lastPart) },
  },
  'GET /coupon/{file}': {
    path: { file: earlier('COUPON', 'POST /payment-request', ['pdf_url'], lastPart) },
  },
  'POST /adhesion': {
    body: adhesionBody,
  },
  'GET /adhesion': { query: { state: 'signed' } },
  'GET /adhesion/{id}': { path: { id: 1 } },
  'GET /card-adhesion/public-key': {},
  'POST /card-adhesion': {
    body: cardAdhesionBody,
  },
  'GET /card-adhesion': { query: { limit: 10 } },
  'GET /card-adhesion/{id}': { path: { id: 1 } },
  'POST /debit-request': {
    body: { debit_request: debit },
  },
  'GET /debit-request': { query: { state: 'pending' } },
  'GET /debit-request/{id}': { path: { id: 2 } },
  'POST /card-debit-request': {
    body: { card_debit_request: cardDebit },
  },
  'GET /card-debit-request': { query: { limit: 10 } },
  'GET /card-debit-request/{id}': { path: { id: 3 } },
  'PUT /debit-request/{id}/cancel': { path: { id: 2 } },
  'PUT /card-debit-request/{id}/cancel': { path: { id: 3 } },
  'PUT /adhesion/{id}/cancel': { path: { id: 1 } },
  'PUT /card-adhesion/{id}/cancel': { path: { id: 1 } },
  'GET /helper/channel-installments/{amount}': { path: { amount: 1430.5 } },
  'POST /validator/next-business-day': {
    body: { next_business_day: { date: '24-12-2026', days: 1 } },
  },
  'GET /account': {},
  'GET /account/balances': {},
  'POST /sandbox/pay/{request_id}': {
    path: { request_id: 1 },
    body: { channel: 'credit_card', installments: 1 },
  },
  'POST /payment-request/{id}/refund': {
    path: { id: 1 },
    body: { refund: { amount: 10.5 } },
  },
  'GET /payment-request/{id}/refund': { path: { id: 1 } },
  'GET /payment-request/{id}/refund/{refund_id}': {
    path: {
      id: 1,
      refund_id: earlier('REFUND_ID', 'POST /payment-request/{id}/refund', ['id']),
    },
  },
  'POST /sandbox/refund/{request_id}': { path: { request_id: 1 }, body: { amount: 30.5 } },
  'POST /sandbox/chargeback/{request_id}': { path: { request_id: 1 }, body: {} },
  'GET /report/collection/{date}': { path: { date: past } },
  'GET /report/chargeback/{date}': { path: { date: past } },
  'GET /report/refund/{date}': { path: { date: past } },
  'GET /report/settlement/{date}': { path: { date: past } },
  'GET /report/retentions/{date}': { path: { date: past } },
  'GET /event-type': {},
  'GET /event': { query: { type: 'payment_request.paid', limit: 10 } },
  'POST /webhook': {
    body: {
      webhook: { url: 'http://127.0.0.1:3000/recaudo', event_types: ['payment_request.paid'] },
    },
  },
  'GET /webhook': {},
  'PUT /webhook/{id}': { path: { id: webhookId }, body: { webhook: { event_types: ['*'] } } },
  'POST /event/{id}/resend': { path: { id: eventId }, body: { webhook_id: webhookId } },
  'GET /event/{id}/deliveries': { path: { id: eventId } },
  'POST /webhook/{id}/rotate-secret': { path: { id: webhookId }, body: { revoke_now: false } },
  'DELETE /webhook/{id}': { path: { id: webhookId } },
  'POST /save-qr-data': {
    body: { total_count: 3, data: [qr('CUOTA-0017'), qr('CUOTA-0018'), qr('CUOTA-0019')] },
  },
  'GET /status/{qr_id}': { path: { qr_id: 'CUOTA-0017' } },
  'GET /qr-image/{file}': {
    path: { file: earlier('IMAGE', 'GET /status/{qr_id}', ['image_url'], lastPart) },
  },
  'POST /edit-qr/{qr_id}': { path: { qr_id: 'CUOTA-0017' }, body: { first_total: 1500 } },
  'POST /batch-edit-qr': {
    body: { total_count: 1, data: [{ id: 'CUOTA-0018', first_due_date: laterDay }] },
  },
  'DELETE /delete-qr/{qr_id}': {
    path: { qr_id: 'CUOTA-0018' },
    body: { total_count: 1, data: ['CUOTA-0018'] },
  },
  'DELETE /batch-delete-qr': { body: { total_count: 1, data: ['CUOTA-0019'] } },
  'POST /pay-qr/{qr_id}': { path: { qr_id: 'CUOTA-0017' } },
  'POST /refund-qr/{qr_id}': { path: { qr_id: 'CUOTA-0017' }, body: { refund: { amount: 100 } } },
  'GET /refund-qr/{qr_id}': { path: { qr_id: 'CUOTA-0017' } },
  'GET /refund-qr/{qr_id}/{refund_id}': {
    path: {
      qr_id: 'CUOTA-0017',
      refund_id: earlier('QR_REFUND_ID', 'POST /refund-qr/{qr_id}', ['id']),
    },
  },
  'POST /create-qr': {
    body: {
      id: 'CAJA-1',
      qr_type: 'static_closed_amount',
      qr_name: 'Kiosco Ana',
      city: 'Rosario',
      postal_code: '2000',
      multiple_payment: true,
      description: 'Caja 1',
      payer_name: 'Kiosco Ana',
    },
  },
  'PUT /new-transaction': {
    query: { data: qrString },
    body: { first_total: 150.5, active_period: 5, external_reference: 'ticket 7' },
  },
  'GET /resolve': { query: { data: qrString, access_token: sandboxResolveToken } },
  'GET /status-static/{qr_id}': { path: { qr_id: 'CAJA-1' } },
  'POST /pay-qr-static/{qr_id}': { path: { qr_id: 'CAJA-1' }, body: {} },
  'GET /bucket-url': {},
  'GET /batch-result/{id}/{page}': {
    path: { id: earlier('BATCH_ID', 'GET /bucket-url', ['id']), page: 1 },
  },
  'PUT /payment-request/{id}/cancel': {
    before: [{ call: 'POST /payment-request', body: paymentRequestBody }],
    path: { id: 9 },
  },
  'GET /sandbox/clock': {},
  'POST /sandbox/clock': { body: { days: 1 } },
  'POST /debit-request/{id}/refund': {
    before: [
      { call: 'POST /adhesion', body: adhesionBody },
      { call: 'POST /debit-request', body: { debit_request: { ...debit, adhesion_id: 2 } } },
      { call: 'POST /card-adhesion', body: cardAdhesionBody },
      {
        call: 'POST /card-debit-request',
        body: { card_debit_request: { ...cardDebit, card_adhesion_id: 2 } },
      },
      { call: 'POST /sandbox/clock', body: { advance_to: '2031-01-31T12:00:00-03:00' } },
    ],
    path: { id: 10 },
    body: { refund: { amount: 30.5, cbu: payerCbu } },
  },
  'GET /debit-request/{id}/refund': { path: { id: 10 } },
  'GET /debit-request/{id}/refund/{refund_id}': {
    path: {
      id: 10,
      refund_id: earlier('DEBIT_REFUND_ID', 'POST /debit-request/{id}/refund', ['id']),
    },
  },
  'POST /card-debit-request/{id}/refund': {
    path: { id: 11 },
    body: { refund: { cbu: payerCbu } },
  },
  'GET /card-debit-request/{id}/refund': { path: { id: 11 } },
  'GET /card-debit-request/{id}/refund/{refund_id}': {
    path: {
      id: 11,
      refund_id: earlier('CARD_REFUND_ID', 'POST /card-debit-request/{id}/refund', ['id']),
    },
  },
  ...Object.fromEntries(
    declared.flatMap(({ api }) =>
      api?.example
        ? [[`${api.method} ${api.path.replaceAll(/:(\w+)/g, '{$1}')}`, api.example] as const]
        : [],
    ),
  ),
};
