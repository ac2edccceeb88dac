import type { Notice } from '../../connectors/protocol/messages.ts';
import { centavos, decimalText } from '../kernel/money.ts';
import { conflict, unavailable } from '../platform/errors.ts';
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
  if (payment.amount !== amount) {
    await parts.raise({
      kind: 'amount',
      fact: `${connector} chargeback ${id}`,
      message: `${decimalText(centavos(amount))} of ${decimalText(payment.amount)} of charge ${attempt} was charged back. It is booked whole.`,
      amount: centavos(amount),
      connector,
      ...named,
      requestId,
      resultId: payment.id,
    });
  }
  const sourceRef = `chargeback ${id}`;
  const comment = 'Charged back.';
  await takeBack(parts, connector, { key, type: 'chargeback', payment, sourceRef, comment });
}

const transferReceived = (
  { business, receiveTransfer }: NoticeParts,
  connector: string,
  { id, cvu, amount, paid_at: paidAt }: Told<'transfer.received'>,
): Promise<void> =>
  receiveTransfer({
    cvu,
    amount: centavos(amount),
    paidAt: paidAtIn(paidAt, business.now()),
    source: sourceOf(connector),
    sourceRef: `transfer ${id}`,
    actor: actorOf(connector),
  });

/** What was recorded, or waits in suspense, goes back whole. */
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

/** Does what a notice says, once, however often it is told; answers what the connector is told. */
export async function heedNotice(
  parts: NoticeParts,
  connector: string,
  notice: Notice,
): Promise<Record<string, unknown>> {
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
