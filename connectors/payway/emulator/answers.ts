import type { Answer } from '../../protocol/http.ts';
import type { Payment, Refund } from './book.ts';

/** Thrown when the acquirer answers with something other than a payment. */
export class Refused extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super('refused');
    this.answer = answer;
  }
}

const cors = { 'access-control-allow-origin': '*' };

export const jsonAnswer = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...cors },
  body: JSON.stringify(value),
});

type Code = 'invalid_param' | 'param_required' | 'missing' | 'repeated';

/** Wraps a fault in one of the acquirer's three formats, depending on the fault. */
export function invalid(code: Code, param: string): Refused {
  const errors = [{ code, param }];
  const plain = { error_type: 'invalid_request_error', validation_errors: errors };
  if (param === 'installments') return new Refused(jsonAnswer(400, { error: plain }));
  if (param === 'amount') return new Refused(jsonAnswer(400, errors));
  return new Refused(jsonAnswer(400, plain));
}

export const invalidStatus = (status: string): Refused =>
  new Refused(
    jsonAnswer(400, { error_type: 'invalid_status_error', validation_errors: { status } }),
  );

export const notFound = (entity: string, id: string): Refused =>
  new Refused(jsonAnswer(404, { error_type: 'not_found_error', entity_name: entity, id }));

export const unauthorized = (status: 401 | 403): Refused =>
  new Refused({
    status,
    headers: { 'content-type': 'text/plain', ...cors },
    body: 'Invalid authentication credentials',
  });

/** Formats local time with the acquirer's incorrect Z suffix. */
export const falseZ = (now: number): string =>
  `${new Date(now - 3 * 3_600_000).toISOString().slice(0, 16)}Z`;

export const paymentBody = (payment: Payment): Record<string, unknown> => ({
  id: payment.id,
  site_transaction_id: payment.site_transaction_id,
  payment_method_id: payment.payment_method_id,
  card_brand: payment.card_brand,
  amount: payment.amount,
  currency: 'ars',
  status: payment.status,
  status_details: {
    ticket: String(payment.id % 10_000),
    card_authorization_code: payment.error ? '' : String(payment.id % 1_000_000).padStart(6, '0'),
    address_validation_code: 'VTE0011',
    error: payment.error,
  },
  date: payment.date,
  customer: null,
  bin: payment.bin,
  installments: payment.installments,
  first_installment_expiration_date: null,
  payment_type: 'single',
  sub_payments: [],
  site_id: '99999999',
  fraud_detection: { status: null },
  aggregate_data: payment.aggregate_data,
  establishment_name: payment.establishment_name,
  spv: null,
  confirmed: null,
  pan: 'b3e8f1c0a4d2',
  customer_token: null,
  card_data: `/tokens/${payment.id}`,
  tid: `T${payment.id}`,
});

export const refundBody = (refund: Refund, payment: Payment): Record<string, unknown> => ({
  id: refund.id,
  amount: refund.amount,
  sub_payments: null,
  error: null,
  status: refund.status,
  status_details: { ticket: String(refund.id), card_authorization_code: '', error: null },
  tid: `T${payment.id}`,
});
