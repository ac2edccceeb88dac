import { type IntentionAnswer, intentionMs } from '../../connectors/protocol/messages.ts';
import { centavos } from '../kernel/money.ts';
import { channels } from '../money/channels/index.ts';
import type { NetworkAttempt } from '../money/charges/index.ts';
import { trxRef as refOf } from '../money/collections/index.ts';
import type { IntentionOutcome } from '../qr/index.ts';
import {
  actorOf,
  arrived,
  type NoticeOf,
  type NoticeParts,
  paidAtIn,
  paymentOf,
  sourceOf,
  takeBack,
  takeBackArrived,
} from './facts.ts';
import { attemptText } from './order.ts';

/** Deadline before the caller's timeout, with time for the response to arrive. */
const decidedWithinMs = intentionMs - 300;

const tooLate: IntentionAnswer = {
  status: 'fail',
  code: 'error',
  reason: 'It could not be decided in time.',
};

const answerOf = (outcome: IntentionOutcome): IntentionAnswer => {
  if (outcome.status === 'pass') return { status: 'pass', attempt: attemptText(outcome) };
  const { status, code, reason } = outcome;
  return { status, code, reason: reason.slice(0, 255) };
};

/** Answers an intention in time, even if the database is slow or down. */
export async function intended(
  { qr, attempts }: NoticeParts,
  connector: string,
  { trx, code, amount }: NoticeOf<'qr.intention'>,
): Promise<IntentionAnswer> {
  const deciding = qr.intend({
    connector,
    trx,
    code,
    amount: centavos(amount),
    actor: actorOf(connector),
  });
  const late = Promise.withResolvers<IntentionAnswer>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    late.resolve(tooLate);
  }, decidedWithinMs);
  // Drops an intention that completes after it was refused by timeout.
  const decided = deciding.then(async (outcome) => {
    if (isLate && outcome.status === 'pass') await attempts.network.drop(outcome);
    return answerOf(outcome);
  });
  try {
    return await Promise.race([decided, late.promise]);
  } finally {
    clearTimeout(timer);
    decided.catch(() => {});
  }
}

/** Reverses an attempt's recorded payment once. Does nothing before it is recorded. */
async function giveBack(
  parts: NoticeParts,
  connector: string,
  { attempt, trx }: { attempt: NetworkAttempt; trx: string },
): Promise<void> {
  const { accountId, attemptId, requestId } = attempt;
  const key = { accountId, id: requestId };
  const payment = await paymentOf(parts, key, attemptId);
  if (!payment) return;
  const sourceRef = `reversed ${refOf(trx)}`;
  const comment = 'Reversed by the network.';
  await takeBack(parts, connector, { key, type: 'chargeback', payment, sourceRef, comment });
}

/** Books the payment on the request of its code, in any state, or else in suspense. */
export async function confirmed(
  parts: NoticeParts,
  connector: string,
  { trx, code, amount, paid_at }: NoticeOf<'qr.confirmed'>,
): Promise<void> {
  const { network } = parts.attempts;
  const actor = actorOf(connector);
  const money = {
    amount: centavos(amount),
    paidAt: paidAtIn(parts, connector, { text: paid_at, what: `payment ${trx} of a code` }),
  };
  const found = await network.confirm(
    { connector, trx, channel: 'qr', target: code, actor, ...money },
    () => parts.qr.requestPaid({ code, amount: money.amount, actor }),
  );
  if (found.outcome === 'recorded') return;
  if (found.outcome === 'reversed') {
    if (found.attempt) await giveBack(parts, connector, { attempt: found.attempt, trx });
    return;
  }
  const { label } = channels.qr;
  const reason = 'unknown_request';
  const source = sourceOf(connector);
  await parts.suspend([
    { ...money, reason, channel: 'qr', label, code, source, sourceRef: refOf(trx) },
  ]);
  // A reversal that arrived in between found nothing to reverse.
  if (await network.isReversed({ connector, trx })) await reverseArrived(parts, connector, trx);
}

async function reverseArrived(parts: NoticeParts, connector: string, trx: string): Promise<void> {
  const found = await arrived(parts, sourceOf(connector), refOf(trx));
  if (!found) return;
  await takeBackArrived(parts, connector, found, {
    what: `payment ${trx} of a code`,
    sourceRef: `reversed ${refOf(trx)}`,
    comment: 'Reversed by the network.',
  });
}

/**
 * Reverses the payment or prevents its booking, in whichever order confirmation and reversal
 * arrive.
 */
export async function reversed(
  parts: NoticeParts,
  connector: string,
  { trx }: NoticeOf<'qr.reversed'>,
): Promise<void> {
  const attempt = await parts.attempts.network.reverse({ connector, trx });
  if (attempt) await giveBack(parts, connector, { attempt, trx });
  else await reverseArrived(parts, connector, trx);
}
