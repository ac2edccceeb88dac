import { decimalText } from '../../kernel/money.ts';
import type { RequestRow } from '../../requests/index.ts';
import {
  type ChargeAnswer,
  type ChargeOutcome,
  cardBrands,
  type PayerAction,
} from '../channels/index.ts';
import { type PaymentFact, refusedThenApproved, typeRecorded } from '../collections/index.ts';
import type { Reason } from '../unwanted/index.ts';
import type { AttemptRow } from './attempt.ts';
import { type DecidedOutcome, factOf } from './fact.ts';
import { endHold, hasExpired, ownHold, tellExpired, unpaidHold } from './holds.ts';
import { alarm, type ChannelReply, named, type SettleParts } from './reply.ts';
import { askPayerAt, hearAgainAt, hearing, nextAskAt, undecidedAfterSeconds } from './schedule.ts';
import { claimReference, closeAttempt, readEnd, waitForPayer, waitUntil } from './store.ts';
import { askForHold, type HoldRow } from './store-holds.ts';

export type PayOutcome =
  | { outcome: 'approved'; resultId: number | null }
  | { outcome: 'rejected'; code: string; text: string }
  | { outcome: 'action_required'; action: PayerAction }
  | { outcome: 'pending' };

export const neverArrived = { code: 'unheard', text: 'The payment did not reach the channel.' };
const goesBack = {
  code: 'returned',
  text: 'The payment is no longer needed and will be refunded.',
};
const calledOff = { code: 'canceled', text: 'The payment was canceled.' };

const isBeyond = (attempt: AttemptRow, seconds: number, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(attempt.started_at.add({ seconds }), now) <= 0;

/** Alerts the operator to a charge that is undecided after 72 hours. */
async function tellUndecided(parts: SettleParts, reply: ChannelReply, now: Temporal.Instant) {
  if (!isBeyond(reply.attempt, undecidedAfterSeconds, now)) return;
  const message = `The outcome of ${named(reply.attempt)} is still unknown.`;
  await alarm(parts, reply, { kind: 'undecided', message });
}

/**
 * Schedules the next inquiry. Also alerts the operator if the charge has been undecided for long,
 * or its hold has expired.
 */
async function wait(
  parts: SettleParts,
  reply: ChannelReply,
  {
    askAgainAt,
    unheardAt = null,
  }: { askAgainAt?: Temporal.Instant; unheardAt?: Temporal.Instant | null },
): Promise<PayOutcome> {
  const { attempt } = reply;
  const { sql, clocks } = parts.base;
  const now = clocks.business.now();
  const next = askAgainAt ?? nextAskAt(attempt.started_at, now);
  await waitUntil(sql, attempt, next, { unheardAt });
  await tellUndecided(parts, reply, now);
  // Only an inquiry can find a hold, because the charge's own answer comes before any hold is
  // stored.
  if (reply.isInquiry) await tellExpired(parts, reply);
  return { outcome: 'pending' };
}

async function settleNotFound(
  parts: SettleParts,
  reply: ChannelReply,
  early: boolean,
): Promise<PayOutcome> {
  const { attempt, isInquiry } = reply;
  const now = parts.base.clocks.business.now();
  const which = isInquiry ? hearing(attempt, now) : 'last';
  if (which === 'too early') return await wait(parts, reply, {});
  if (which === 'last' && !early) {
    await closeAttempt(parts.base.sql, attempt);
    return { outcome: 'rejected', ...neverArrived };
  }
  // If the channel is still unsure after ten minutes, the regular schedule applies.
  const soon = which === 'first' && { askAgainAt: hearAgainAt(attempt.started_at, now) };
  return await wait(parts, reply, { unheardAt: now, ...soon });
}

const excludes = (request: RequestRow, name: string, value: string): boolean => {
  const excluded = request.details[name];
  return Array.isArray(excluded) && excluded.map(String).includes(value);
};

/** Returns true if the request excludes the actual channel, or the brand of a credit card. */
const isExcluded = (request: RequestRow, fact: PaymentFact, { cardBrand }: ChargeAnswer): boolean =>
  excludes(request, 'excluded_channels', fact.channel) ||
  (fact.channel === 'credit_card' &&
    cardBrand !== undefined &&
    excludes(request, 'excluded_card_brands', cardBrands[cardBrand].code));

/** Alerts the operator if a different amount was charged. */
async function tellAmount(parts: SettleParts, reply: ChannelReply, { amount }: ChargeAnswer) {
  const { attempt } = reply;
  if (amount === undefined || amount === attempt.amount) return;
  const message = `${decimalText(amount)} was taken in place of ${decimalText(attempt.amount)}: ${named(attempt)}.`;
  await alarm(parts, reply, { kind: 'amount', message, amount });
}

/** Records an approval after a recorded refusal as another fact, because the money arrived. */
async function recordLate(parts: SettleParts, reply: ChannelReply, fact: PaymentFact) {
  const { attempt } = reply;
  const message = `The channel refused and then approved ${named(attempt)}.`;
  await alarm(parts, reply, { kind: 'late_approval', message, amount: fact.amount });
  return await parts.record({ ...fact, sourceRef: refusedThenApproved(attempt.id) });
}

/**
 * Records the acquirer's id. If another attempt has it, the answer is about that attempt: alerts
 * the operator and returns false.
 */
async function claims(parts: SettleParts, reply: ChannelReply, { reference }: ChargeAnswer) {
  const { attempt } = reply;
  if (reference === undefined || (await claimReference(parts.base.sql, attempt, reference))) {
    return true;
  }
  const message = `The acquirer's id ${reference} of ${named(attempt)} is that of another attempt.`;
  await alarm(parts, reply, { kind: 'reference', message });
  return false;
}

/**
 * Returns the reason to return the money, or null if none is known before the approval is recorded.
 * Alerts the operator to a captured charge whose hold was to be voided.
 */
async function reasonAgainst(
  parts: SettleParts,
  reply: ChannelReply,
  { isExcluded: excluded, isLate }: { isExcluded: boolean; isLate: boolean },
): Promise<Reason | null> {
  const isVoided = (await holdOf(parts, reply))?.ordered === 'void';
  if (isVoided) {
    const message = `${named(reply.attempt)} was captured, though its hold was to be voided.`;
    await alarm(parts, reply, { kind: 'hold', message, of: ' captured' });
  }
  if (excluded) return 'excluded';
  return isVoided || isLate ? 'late' : null;
}

async function approved(
  parts: SettleParts,
  reply: ChannelReply,
  outcome: Extract<DecidedOutcome, { outcome: 'approved' }>,
): Promise<PayOutcome> {
  const { attempt, request } = reply;
  const { answer } = outcome;
  const { sql } = parts.base;
  if (!(await claims(parts, reply, answer))) return await wait(parts, reply, {});
  const before = await readEnd(sql, attempt);
  if (before === 'paid') return { outcome: 'approved', resultId: null };
  const fact = factOf(attempt, request, outcome, await parts.loadCardKinds());
  const approval = {
    account_id: attempt.account_id,
    attempt_id: attempt.id,
    request_id: request.id,
  };
  // A debit's first approval pays it, however late. Other late approvals are unwanted.
  const isDebit = attempt.channel === 'card_debit';
  const isLate = before === 'closed' && !isDebit;
  const excluded = isExcluded(request, fact, answer);
  const why = await reasonAgainst(parts, reply, { isExcluded: excluded, isLate });
  const mayGoBack = await parts.unwanted.note(approval, why, isDebit);
  await tellAmount(parts, reply, answer);
  const first = await parts.record(fact);
  const wasRefused = first.outcome === 'known' && (await typeRecorded(sql, fact)) === 'rejected';
  const recorded = wasRefused ? await recordLate(parts, reply, fact) : first;
  if (recorded.outcome !== 'recorded') return { outcome: 'approved', resultId: null };
  if (mayGoBack && (await parts.unwanted.decide(approval))) {
    return { outcome: 'rejected', ...goesBack };
  }
  return { outcome: 'approved', resultId: recorded.resultId };
}

/**
 * Returns the hold of an authorized charge, or null. Does not look for one if the reply answers the
 * charge itself, because a hold is stored later.
 */
const holdOf = async (
  { base }: SettleParts,
  { attempt, isInquiry }: ChannelReply,
): Promise<HoldRow | null> => (isInquiry ? await ownHold(base, attempt) : null);

/** Captures or voids an authorized charge, and records the outcome. */
async function authorized(
  parts: SettleParts,
  reply: ChannelReply,
  { answer, expiresAt }: Extract<ChargeOutcome, { outcome: 'authorized' }>,
): Promise<PayOutcome> {
  const { attempt, request } = reply;
  if (!(await claims(parts, reply, answer))) return await wait(parts, reply, {});
  const end = await readEnd(parts.base.sql, attempt);
  // Already captured, so this answer is outdated.
  if (end === 'paid') {
    await askForHold(parts.base.sql, attempt, null);
    return { outcome: 'approved', resultId: null };
  }
  const kinds = await parts.loadCardKinds();
  const fact = factOf(attempt, request, { outcome: 'approved', answer }, kinds);
  const authorization = { answer, expiresAt, isExcluded: isExcluded(request, fact, answer) };
  const outcome = await endHold(parts, reply, { ...authorization, hasEnded: end !== null });
  if (outcome.outcome === 'authorized') return await wait(parts, reply, {});
  return await settle(parts, { ...reply, outcome, isInquiry: true });
}

/** Records a refused or canceled charge, which may have been authorized. */
async function unpaid(
  parts: SettleParts,
  reply: ChannelReply,
  outcome: Extract<ChargeOutcome, { outcome: 'rejected' | 'canceled' }>,
): Promise<PayOutcome> {
  const { attempt, request } = reply;
  const hold = await holdOf(parts, reply);
  if (hold?.ordered === 'capture' && outcome.outcome === 'canceled') {
    const message = `The hold of ${named(attempt)} ended, though it was to be captured.`;
    await alarm(parts, reply, { kind: 'hold', message, of: ' ended' });
  }
  const rejection: Extract<DecidedOutcome, { outcome: 'rejected' }> =
    outcome.outcome === 'canceled' ? { outcome: 'rejected', ...calledOff } : outcome;
  const because = outcome.outcome === 'rejected' ? outcome.text : null;
  const refused = hold ? { outcome: rejection.outcome, ...unpaidHold(hold, because) } : rejection;
  if (!hold || (await readEnd(parts.base.sql, attempt)) === null) {
    await parts.record(factOf(attempt, request, refused, await parts.loadCardKinds()));
  }
  if (hold) await askForHold(parts.base.sql, attempt, null);
  const { code, text } = refused;
  return { outcome: 'rejected', code, text };
}

/** Handles a charge that the channel does not know. It may have been authorized before. */
async function unknownToChannel(
  parts: SettleParts,
  reply: ChannelReply,
  early: boolean,
): Promise<PayOutcome> {
  const hold = await holdOf(parts, reply);
  if (!hold) return await settleNotFound(parts, reply, early);
  // An acquirer that authorized a charge knows it as long as it can be captured, so keep inquiring.
  if (!hasExpired(hold, parts.base.clocks.business.now())) return await wait(parts, reply, {});
  await tellExpired(parts, reply);
  return await unpaid(parts, reply, { outcome: 'rejected', ...neverArrived });
}

/**
 * Records a channel's answer. A repeated answer changes nothing, because results are unique by
 * attempt.
 */
export async function settle(parts: SettleParts, reply: ChannelReply): Promise<PayOutcome> {
  const { attempt, outcome } = reply;
  const { sql, clocks } = parts.base;
  switch (outcome.outcome) {
    case 'unknown':
      return await wait(parts, reply, outcome);
    case 'action_required': {
      const { action } = outcome;
      const now = clocks.business.now();
      await waitForPayer(sql, attempt, action, askPayerAt(attempt.started_at, action.until, now));
      await tellUndecided(parts, reply, now);
      return { outcome: 'action_required', action };
    }
    case 'unheard':
      return await unknownToChannel(parts, reply, outcome.early ?? false);
    case 'authorized':
      return await authorized(parts, reply, outcome);
    case 'approved': {
      const came = await approved(parts, reply, outcome);
      // Last, so that a crash before it leaves the hold due for inquiry.
      if (reply.isInquiry && came.outcome !== 'pending') await askForHold(sql, reply.attempt, null);
      return came;
    }
    case 'canceled':
    case 'rejected':
      return await unpaid(parts, reply, outcome);
  }
}
