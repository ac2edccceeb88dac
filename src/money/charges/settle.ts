import { decimalText } from '../../kernel/money.ts';
import type { Base } from '../../platform/base.ts';
import type { RequestRow } from '../../requests/index.ts';
import { type MoneyAlarm, raiseMoneyAlarm } from '../alarms/index.ts';
import {
  type CardKindOf,
  type Channel,
  type ChargeAnswer,
  type ChargeOutcome,
  cardBrands,
  type PayerAction,
} from '../channels/index.ts';
import {
  type PaymentFact,
  type RecordFact,
  refusedThenApproved,
  typeRecorded,
} from '../collections/index.ts';
import type { Unwanted } from '../unwanted/index.ts';
import type { AttemptRow } from './attempt.ts';
import { type DecidedOutcome, factOf } from './fact.ts';
import { askPayerAt, hearAgainAt, hearing, nextAskAt, undecidedAfterSeconds } from './schedule.ts';
import { claimReference, closeAttempt, readEnd, waitForPayer, waitUntil } from './store.ts';

/** What a payer's attempt came to. */
export type PayOutcome =
  | { outcome: 'approved'; resultId: number | null }
  | { outcome: 'rejected'; code: string; text: string }
  | { outcome: 'action_required'; action: PayerAction }
  | { outcome: 'pending' };

export interface SettleParts {
  base: Base;
  record: RecordFact;
  unwanted: Pick<Unwanted, 'note' | 'decide'>;
  loadCardKinds(): Promise<CardKindOf>;
}

/** One hearing of what became of a charge. */
export interface Hearing {
  attempt: AttemptRow;
  request: RequestRow;
  channel: Channel;
  outcome: ChargeOutcome;
  /** Whether it was asked for, not told by the call itself. */
  asked: boolean;
}

export const neverArrived = { code: 'unheard', text: 'The payment did not reach the channel.' };
const goesBack = { code: 'returned', text: 'The payment is not wanted: it goes back.' };
const calledOff = { code: 'canceled', text: 'The payment was called off.' };

const named = ({ account_id, id, request_id }: AttemptRow): string =>
  `attempt ${account_id}-${id} of request ${request_id}`;

const isBeyond = (attempt: AttemptRow, seconds: number, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(attempt.started_at.add({ seconds }), now) <= 0;

/** An alarm about the money of an attempt; of each kind there is one. */
const alarm = (
  { base }: Pick<SettleParts, 'base'>,
  { attempt, channel }: Pick<Hearing, 'attempt' | 'channel'>,
  { kind, message, amount = attempt.amount }: Pick<MoneyAlarm, 'kind' | 'message' | 'amount'>,
): Promise<void> =>
  raiseMoneyAlarm(base, {
    kind,
    fact: `attempt ${attempt.account_id}-${attempt.id}`,
    message,
    amount,
    connector: channel.name,
    accountId: attempt.account_id,
    requestId: attempt.request_id,
    attemptId: attempt.id,
  });

/** Tells the operator of what nobody decides. */
async function tellUndecided(parts: SettleParts, heard: Hearing, now: Temporal.Instant) {
  if (!isBeyond(heard.attempt, undecidedAfterSeconds, now)) return;
  const message = `Nobody says what became of ${named(heard.attempt)}.`;
  await alarm(parts, heard, { kind: 'undecided', message });
}

/** Not known: it is asked for later, and long after its call the operator is told. */
async function wait(
  parts: SettleParts,
  heard: Hearing,
  {
    askAgainAt,
    unheardAt = null,
  }: { askAgainAt?: Temporal.Instant; unheardAt?: Temporal.Instant | null },
): Promise<PayOutcome> {
  const { attempt } = heard;
  const { sql, clocks } = parts.base;
  const now = clocks.business.now();
  const next = askAgainAt ?? nextAskAt(attempt.started_at, now);
  await waitUntil(sql, attempt, next, { unheardAt });
  await tellUndecided(parts, heard, now);
  return { outcome: 'pending' };
}

async function unheard(parts: SettleParts, heard: Hearing, early: boolean): Promise<PayOutcome> {
  const { attempt, asked } = heard;
  const now = parts.base.clocks.business.now();
  const which = asked ? hearing(attempt, now) : 'last';
  if (which === 'too early') return await wait(parts, heard, {});
  if (which === 'last' && !early) {
    await closeAttempt(parts.base.sql, attempt);
    return { outcome: 'rejected', ...neverArrived };
  }
  // A channel that is not sure after ten minutes is asked by the schedule.
  const soon = which === 'first' && { askAgainAt: hearAgainAt(attempt.started_at, now) };
  return await wait(parts, heard, { unheardAt: now, ...soon });
}

const excludes = (request: RequestRow, name: string, value: string): boolean => {
  const excluded = request.details[name];
  return Array.isArray(excluded) && excluded.map(String).includes(value);
};

/** Whether a card turned out to be what its request excludes: a channel, or a brand of credit cards. */
const isExcluded = (request: RequestRow, fact: PaymentFact, { cardBrand }: ChargeAnswer): boolean =>
  excludes(request, 'excluded_channels', fact.channel) ||
  (fact.channel === 'credit_card' &&
    cardBrand !== undefined &&
    excludes(request, 'excluded_card_brands', cardBrands[cardBrand].code));

/** What is not as it was asked for is recorded as it is, and the operator is told. */
async function tellAmount(parts: SettleParts, heard: Hearing, { amount }: ChargeAnswer) {
  const { attempt } = heard;
  if (amount === undefined || amount === attempt.amount) return;
  const message = `${decimalText(amount)} was taken in place of ${decimalText(attempt.amount)}: ${named(attempt)}.`;
  await alarm(parts, heard, { kind: 'amount', message, amount });
}

/** An approval behind a refusal that was recorded: the money came, so it is one more fact. */
async function recordLate(parts: SettleParts, heard: Hearing, fact: PaymentFact) {
  const { attempt } = heard;
  const message = `The channel refused and then approved ${named(attempt)}.`;
  await alarm(parts, heard, { kind: 'late_approval', message, amount: fact.amount });
  return await parts.record({ ...fact, sourceRef: refusedThenApproved(attempt.id) });
}

async function approved(
  parts: SettleParts,
  heard: Hearing,
  outcome: Extract<DecidedOutcome, { outcome: 'approved' }>,
): Promise<PayOutcome> {
  const { attempt, request } = heard;
  const { answer } = outcome;
  const { reference } = answer;
  const { sql } = parts.base;
  if (reference !== undefined && !(await claimReference(sql, attempt, reference))) {
    const message = `The acquirer's id ${reference} of ${named(attempt)} is that of another attempt.`;
    await alarm(parts, heard, { kind: 'reference', message });
    return await wait(parts, heard, {});
  }
  const before = await readEnd(sql, attempt);
  if (before === 'paid') return { outcome: 'approved', resultId: null };
  const fact = factOf(attempt, request, outcome, await parts.loadCardKinds());
  const approval = {
    account_id: attempt.account_id,
    attempt_id: attempt.id,
    request_id: request.id,
  };
  // A debit is paid by its first approval, however late; every other one goes back.
  const isDebit = attempt.channel === 'card_debit';
  const isLate = before === 'closed' && !isDebit;
  const why = isExcluded(request, fact, answer) ? 'excluded' : isLate ? 'late' : null;
  const mayGoBack = await parts.unwanted.note(approval, why, isDebit);
  await tellAmount(parts, heard, answer);
  const first = await parts.record(fact);
  const wasRefused = first.outcome === 'known' && (await typeRecorded(sql, fact)) === 'rejected';
  const recorded = wasRefused ? await recordLate(parts, heard, fact) : first;
  if (recorded.outcome !== 'recorded') return { outcome: 'approved', resultId: null };
  if (mayGoBack && (await parts.unwanted.decide(approval))) {
    return { outcome: 'rejected', ...goesBack };
  }
  return { outcome: 'approved', resultId: recorded.resultId };
}

/** Writes down what the channel said; may be repeated, the attempt's id makes it one result. */
export async function settle(parts: SettleParts, heard: Hearing): Promise<PayOutcome> {
  const { attempt, request, outcome } = heard;
  const { sql, clocks } = parts.base;
  switch (outcome.outcome) {
    case 'unknown':
      return await wait(parts, heard, outcome);
    case 'action_required': {
      const { action } = outcome;
      const now = clocks.business.now();
      await waitForPayer(sql, attempt, action, askPayerAt(attempt.started_at, action.until, now));
      await tellUndecided(parts, heard, now);
      return { outcome: 'action_required', action };
    }
    case 'unheard':
      return await unheard(parts, heard, outcome.early ?? false);
    case 'approved':
      return await approved(parts, heard, outcome);
    case 'canceled':
      return await settle(parts, { ...heard, outcome: { outcome: 'rejected', ...calledOff } });
    case 'rejected': {
      await parts.record(factOf(attempt, request, outcome, await parts.loadCardKinds()));
      const { code, text } = outcome;
      return { outcome: 'rejected', code, text };
    }
  }
}
