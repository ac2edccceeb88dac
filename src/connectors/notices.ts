import type { Notice } from '../../connectors/protocol/messages.ts';
import { type Centavos, centavos, decimalText, sumOf, zero } from '../kernel/money.ts';
import { findBySource, type ResultRow } from '../money/collections/index.ts';
import { leftOf } from '../money/reversals/index.ts';
import { openerOf } from '../payment-requests/index.ts';
import { conflict, Refusal, unavailable } from '../platform/errors.ts';
import type { RequestKey } from '../requests/index.ts';
import {
  actorOf,
  arrived,
  type NoticeParts,
  nobodys,
  paidAtIn,
  paymentOf,
  sourceOf,
  type Told,
  takeBack,
  takeBackArrived,
} from './facts.ts';
import { attemptIn } from './order.ts';
import { confirmed, intended, reversed } from './qr-notices.ts';

/** Asks what became of a charge, and believes the answer alone. */
async function chargeChanged(
  parts: NoticeParts,
  connector: string,
  { attempt }: Told<'charge.changed'>,
): Promise<void> {
  const named = attemptIn(attempt);
  const asked = named && (await parts.attempts.ask(named, connector));
  if (!asked) throw nobodys('charge');
  const { requestId, outcome, closed } = asked;
  if (outcome === 'unknown') {
    // Open or not: told again, it is asked for again.
    throw unavailable('What became of the charge could not be learned now. Send the notice again.');
  }
  if (outcome !== 'canceled' || !closed) return;
  const key = { accountId: named.accountId, id: requestId };
  const payment = await paymentOf(parts, key, named.attemptId);
  if (!payment) return;
  const sourceRef = `canceled ${attempt}`;
  const comment = 'Given back by the acquirer.';
  await takeBack(parts, connector, { key, type: 'refund', payment, sourceRef, comment });
}

async function chargedBack(
  parts: NoticeParts,
  connector: string,
  { id, attempt, amount }: Told<'charge.charged_back'>,
): Promise<void> {
  const named = attemptIn(attempt);
  const requestId = named && (await parts.attempts.requestOf(named, connector));
  if (!named || requestId === null) throw nobodys('charge');
  const key = { accountId: named.accountId, id: requestId };
  const known = await paymentOf(parts, key, named.attemptId);
  // It may be told before its approval was heard.
  if (!known) await parts.attempts.ask(named, connector);
  const payment = known ?? (await paymentOf(parts, key, named.attemptId));
  if (!payment) throw conflict('The charge is not known as paid. Send the notice again later.');
  const back = { key, payment, amount: centavos(amount), attempt, sourceRef: `chargeback ${id}` };
  const earlier = await earlierParts(parts, connector, back);
  if (amount < payment.amount || earlier > 0) {
    await chargedBackInPart(parts, connector, back);
    return;
  }
  if (amount > payment.amount) await alarmOf(parts, connector, back, payment.amount);
  const { sourceRef } = back;
  const comment = 'Charged back.';
  await takeBack(parts, connector, { key, type: 'chargeback', payment, sourceRef, comment });
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
    message: `${decimalText(amount)} of charge ${attempt} was charged back. ${decimalText(booked)} is booked: no more is left of it.`,
    amount,
    connector,
    accountId: key.accountId,
    requestId: key.id,
    resultId: payment.id,
  });

/** Sum of other chargebacks of a payment that took parts of it. */
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
      ref.startsWith('chargeback '),
  );
  return sumOf(parts.map(({ amount }) => amount));
}

/**
 * A chargeback in the books takes the whole payment, so a part goes back as a refund does, up to
 * what is left.
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

/** Money for an account that another connector opened is not this one's to tell. */
async function transferReceived(
  parts: NoticeParts,
  connector: string,
  { id, cvu, amount, paid_at: paidAt }: Told<'transfer.received'>,
): Promise<void> {
  const opener = await openerOf(parts.sql, cvu);
  if (opener !== null && opener !== connector) {
    const text = `it reports transfer ${id} to an account that ${opener} opened`;
    parts.alarm(connector, 'protocol', text);
    throw new Refusal('forbidden', 'This account was opened by another connector.');
  }
  await parts.receiveTransfer({
    cvu,
    amount: centavos(amount),
    paidAt: paidAtIn(parts, connector, { text: paidAt, what: `transfer ${id}` }),
    source: sourceOf(connector),
    sourceRef: `transfer ${id}`,
    actor: actorOf(connector),
  });
}

/** Reverses all of a recorded or suspended transfer. */
async function transferReversed(
  parts: NoticeParts,
  connector: string,
  { id, amount }: Told<'transfer.reversed'>,
): Promise<void> {
  const what = `transfer ${id}`;
  const found = await arrived(parts, sourceOf(connector), what);
  if (!found) throw conflict('The transfer was not told before. Send transfer.received first.');
  if (found.amount !== amount) {
    await parts.raise({
      kind: 'amount',
      fact: `${connector} reversed ${id}`,
      message: `${decimalText(centavos(amount))} of ${decimalText(found.amount)} of ${what} was reversed. It is booked whole.`,
      amount: centavos(amount),
      connector,
    });
  }
  const comment = 'Reversed by the bank.';
  await takeBackArrived(parts, connector, found, { what, sourceRef: `reversed ${id}`, comment });
}

/** Does what a notice says, once, however often it arrives, and returns the connector's answer. */
export async function heedNotice(
  parts: NoticeParts,
  connector: string,
  notice: Notice,
): Promise<Record<string, unknown>> {
  if (!parts.mayTell(connector, notice.type)) {
    const text = `${notice.type} is beyond its manifest or channels. Nothing was recorded.`;
    parts.alarm(connector, 'protocol', text);
    throw new Refusal('forbidden', `This connector may not report ${notice.type}.`);
  }
  switch (notice.type) {
    case 'charge.changed':
      await chargeChanged(parts, connector, notice);
      return {};
    case 'charge.charged_back':
      await chargedBack(parts, connector, notice);
      return {};
    case 'transfer.received':
      await transferReceived(parts, connector, notice);
      return {};
    case 'transfer.reversed':
      await transferReversed(parts, connector, notice);
      return {};
    case 'qr.intention':
      return { ...(await intended(parts, connector, notice)) };
    case 'qr.confirmed':
      await confirmed(parts, connector, notice);
      return {};
    case 'qr.reversed':
      await reversed(parts, connector, notice);
      return {};
  }
}
