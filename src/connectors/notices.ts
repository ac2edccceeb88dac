import type { Notice } from '../../connectors/protocol/messages.ts';
import { centavos, decimalText } from '../kernel/money.ts';
import { openerOf } from '../payment-requests/index.ts';
import { chargedBack } from './chargebacks.ts';
import { refusal } from './codes.ts';
import { disputeChanged } from './disputes.ts';
import {
  actorOf,
  arrived,
  type NoticeOf,
  type NoticeParts,
  nobodys,
  paidAtIn,
  paymentOf,
  sourceOf,
  takeBack,
  takeBackArrived,
} from './facts.ts';
import { attemptIn } from './order.ts';
import { confirmed, intended, reversed } from './qr-notices.ts';

/**
 * Inquires about a charge, and trusts only the answer. Throws 404 for an unknown charge, 503
 * without an answer.
 */
async function chargeChanged(
  parts: NoticeParts,
  connector: string,
  { attempt }: NoticeOf<'charge.changed'>,
): Promise<void> {
  const named = attemptIn(attempt);
  const inquiry = named && (await parts.attempts.ask(named, connector));
  if (!inquiry) throw nobodys('charge');
  const { requestId, outcome, closed } = inquiry;
  if (outcome === 'unknown') {
    // A repeated notice inquires again, even after the charge has ended.
    throw refusal('notice.charge_no_answer', {});
  }
  if (outcome !== 'canceled' || !closed) return;
  const key = { accountId: named.accountId, id: requestId };
  const payment = await paymentOf(parts, key, named.attemptId);
  if (!payment) return;
  const sourceRef = `canceled ${attempt}`;
  const comment = 'Given back by the acquirer.';
  await takeBack(parts, connector, { key, type: 'refund', payment, sourceRef, comment });
}

/**
 * Inquires about a card on file, and trusts only the answer. Throws 404 for an unknown card, 503
 * without an answer.
 */
async function cardChanged(
  parts: NoticeParts,
  connector: string,
  { card }: NoticeOf<'card.changed'>,
): Promise<void> {
  const look = await parts.lookAtCard({ connector, cardId: card, actor: actorOf(connector) });
  if (look === 'not_there') throw nobodys('card');
  if (look === 'unknown') throw refusal('notice.card_no_answer', {});
  if (look === 'odd') {
    const text = `it says of card ${card}, which it kept, neither that it is good nor that it is closed`;
    parts.alarm(connector, 'card', text);
  }
}

/** Records a transfer. Throws 403 if another connector opened its account. */
async function transferReceived(
  parts: NoticeParts,
  connector: string,
  { id, cvu, amount, paid_at: paidAt }: NoticeOf<'transfer.received'>,
): Promise<void> {
  const opener = await openerOf(parts.sql, cvu);
  if (opener !== null && opener !== connector) {
    const text = `it reports transfer ${id} to an account that ${opener} opened`;
    parts.alarm(connector, 'protocol', text);
    throw refusal('notice.account_of_another', {});
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

/** Reverses a transfer in full, recorded or in suspense. Throws 409 if it was never reported. */
async function transferReversed(
  parts: NoticeParts,
  connector: string,
  { id, amount }: NoticeOf<'transfer.reversed'>,
): Promise<void> {
  const what = `transfer ${id}`;
  const found = await arrived(parts, sourceOf(connector), what);
  if (!found) throw refusal('notice.transfer_not_reported', {});
  if (found.amount !== amount) {
    await parts.raise({
      kind: 'amount',
      fact: `${connector} reversed ${id}`,
      message: `${decimalText(centavos(amount))} of ${decimalText(found.amount)} of ${what} was reversed. It is booked in full.`,
      amount: centavos(amount),
      connector,
    });
  }
  const comment = 'Reversed by the bank.';
  await takeBackArrived(parts, connector, found, { what, sourceRef: `reversed ${id}`, comment });
}

/**
 * Carries out a notice, once, however often it arrives. Returns the response to the connector.
 * Throws 403 if its configuration or manifest does not allow the notice.
 */
export async function heedNotice(
  parts: NoticeParts,
  connector: string,
  notice: Notice,
): Promise<Record<string, unknown>> {
  if (!parts.mayTell(connector, notice.type)) {
    const text = `${notice.type} is beyond its manifest or channels. Nothing was recorded.`;
    parts.alarm(connector, 'protocol', text);
    throw refusal('notice.not_allowed', { type: notice.type });
  }
  switch (notice.type) {
    case 'charge.changed':
      await chargeChanged(parts, connector, notice);
      return {};
    case 'charge.charged_back':
      await chargedBack(parts, connector, notice);
      return {};
    case 'dispute.changed':
      await disputeChanged(parts, connector, notice);
      return {};
    case 'card.changed':
      await cardChanged(parts, connector, notice);
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
