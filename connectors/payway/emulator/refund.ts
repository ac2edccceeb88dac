import type { Answer } from '../../protocol/http.ts';
import { falseZ, invalid, invalidStatus, jsonAnswer, notFound, refundBody } from './answers.ts';
import type { Book, Payment, Refund } from './book.ts';
import { Dropped } from './pay.ts';

const visaDebit = 31;
/**
 * Refunds with these cents get no answer: the emulator books those of `lostCents`, but not those of
 * `droppedCents`.
 */
const lostCents = 13;
const droppedCents = 14;

const live = ({ refunds }: Payment): Refund[] =>
  refunds.filter(({ status }) => status === 'approved');
const sumOf = (payment: Payment): number =>
  live(payment).reduce((sum, { amount }) => sum + amount, 0);

const statusOf = (payment: Payment): string => {
  const sum = sumOf(payment);
  if (sum === 0) return 'approved';
  if (sum < payment.amount) return 'approved_with_refund';
  return payment.in_closed_lot ? 'refunded' : 'annulled';
};

/** `POST /payments/{id}/refunds`: `{}` refunds everything, `{amount}` a part. */
export async function refund(
  book: Book,
  payment: Payment,
  body: Record<string, unknown>,
  { sameDay, now }: { sameDay: boolean; now: number },
): Promise<Answer> {
  if (!sameDay && !payment.in_closed_lot) throw invalid('invalid_param', 'path_params_payment_id');
  if (!payment.status.startsWith('approved')) throw invalidStatus(payment.status);
  const left = payment.amount - sumOf(payment);
  const amount = body.amount ?? left;
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 1 || amount > left) {
    throw invalid('invalid_param', 'amount');
  }
  if (payment.payment_method_id === visaDebit && amount !== payment.amount) {
    throw invalid('invalid_param', 'amount');
  }
  if (amount % 100 === droppedCents) throw new Dropped();
  const one: Refund = {
    id: payment.id * 100 + payment.refunds.length + 1,
    amount,
    date_created: falseZ(now),
    status: 'approved',
    date_canceled: null,
  };
  const changed = { ...payment, refunds: [...payment.refunds, one] };
  await book.save({ ...changed, status: statusOf(changed) });
  if (amount % 100 === lostCents) throw new Dropped();
  return jsonAnswer(201, refundBody(one, payment));
}

/** `GET /payments/{id}/refunds`. */
export const refundsOf = (payment: Payment): Answer =>
  jsonAnswer(200, {
    parent: { history: payment.refunds.map((one) => ({ ...one, operation: 'refund' })) },
    sub_payments: [],
  });

/** `DELETE /payments/{id}/refunds/{refund}`: cancels a refund. */
export async function takeBack(
  book: Book,
  payment: Payment,
  id: number,
  now: number,
): Promise<Answer> {
  const found = live(payment).find((one) => one.id === id);
  if (!found) throw notFound('refund', String(id));
  const refunds = payment.refunds.map((one) =>
    one.id === id ? { ...one, status: 'canceled', date_canceled: falseZ(now) } : one,
  );
  const changed = { ...payment, refunds };
  await book.save({ ...changed, status: statusOf(changed) });
  return { status: 204, headers: {}, body: '' };
}
