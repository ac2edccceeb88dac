import { type Centavos, centavos, decimalText, sumOf, zero } from '../kernel/money.ts';
import { findBySource, type ResultRow } from '../money/collections/index.ts';
import { leftOf } from '../money/reversals/index.ts';
import type { RequestKey } from '../requests/index.ts';
import { refusal } from './codes.ts';
import {
  type NoticeOf,
  type NoticeParts,
  nobodys,
  paymentOf,
  sourceOf,
  takeBack,
} from './facts.ts';
import { attemptIn } from './order.ts';

export async function chargedBack(
  parts: NoticeParts,
  connector: string,
  { id, attempt, amount }: NoticeOf<'charge.charged_back'>,
): Promise<void> {
  const named = attemptIn(attempt);
  const requestId = named && (await parts.attempts.requestOf(named, connector));
  if (!named || requestId === null) throw nobodys('charge');
  const key = { accountId: named.accountId, id: requestId };
  const known = await paymentOf(parts, key, named.attemptId);
  // The chargeback may arrive before the approval.
  if (!known) await parts.attempts.ask(named, connector);
  const payment = known ?? (await paymentOf(parts, key, named.attemptId));
  if (!payment) throw refusal('notice.charge_not_paid', {});
  const back = { key, payment, amount: centavos(amount), attempt, sourceRef: `chargeback ${id}` };
  await takeChargeback(parts, connector, back);
}

interface Part {
  key: RequestKey;
  payment: ResultRow;
  amount: Centavos;
  attempt: string;
  sourceRef: string;
}

const alarmOf = (
  parts: NoticeParts,
  connector: string,
  { key, payment, amount, attempt, sourceRef }: Part,
  booked: Centavos,
): Promise<void> =>
  parts.raise({
    kind: 'amount',
    fact: `${connector} ${sourceRef}`,
    message: `${decimalText(amount)} of charge ${attempt} was charged back. ${decimalText(booked)} is booked, because no more was left.`,
    amount,
    connector,
    accountId: key.accountId,
    requestId: key.id,
    resultId: payment.id,
  });

/** Sums a payment's other partial chargebacks. */
async function earlierParts(
  { find }: NoticeParts,
  connector: string,
  { key, payment, sourceRef }: Part,
): Promise<Centavos> {
  const results = (await find(key))?.results ?? [];
  const parts = results.filter(
    ({ type, source, source_ref: ref, reverses_id: reverses }) =>
      type === 'refund' &&
      source === sourceOf(connector) &&
      reverses === payment.id &&
      ref !== sourceRef &&
      /^(?:chargeback|dispute) /.test(ref),
  );
  return sumOf(parts.map(({ amount }) => amount));
}

/**
 * Books a partial chargeback as a refund of up to the rest, because chargebacks in the books are
 * whole.
 */
async function chargedBackInPart(parts: NoticeParts, connector: string, part: Part): Promise<void> {
  const { key, payment, sourceRef } = part;
  if (await findBySource(parts.sql, sourceOf(connector), sourceRef)) return;
  const left = payment.charged_back > 0 ? zero : leftOf(payment);
  const amount = part.amount > left ? left : part.amount;
  if (part.amount > left) await alarmOf(parts, connector, part, amount);
  if (amount <= 0) return;
  const comment = 'Charged back in part.';
  const back = { key, type: 'refund' as const, payment, amount, sourceRef, comment };
  await takeBack(parts, connector, back);
}

export async function takeChargeback(
  parts: NoticeParts,
  connector: string,
  back: Part,
): Promise<void> {
  const { key, payment, amount, sourceRef } = back;
  const earlier = await earlierParts(parts, connector, back);
  if (amount < payment.amount || earlier > 0) {
    await chargedBackInPart(parts, connector, back);
    return;
  }
  if (amount > payment.amount) await alarmOf(parts, connector, back, payment.amount);
  const comment = 'Charged back.';
  await takeBack(parts, connector, { key, type: 'chargeback', payment, sourceRef, comment });
}
