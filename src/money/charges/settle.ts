import type { Base } from '../../platform/base.ts';
import type { RequestRow } from '../../requests/index.ts';
import {
  type CardKindOf,
  type Channel,
  type ChargeAnswer,
  type ChargeOutcome,
  cardBrands,
  type PayerAction,
} from '../channels/index.ts';
import { type PaymentFact, type RecordFact, typeRecorded } from '../collections/index.ts';
import type { AttemptRow } from './attempt.ts';
import { type DecidedOutcome, factOf } from './fact.ts';
import { askPayerAt, hearing, nextAskAt, undecidedAfterSeconds } from './schedule.ts';
import { claimReference, closeAttempt, waitForPayer, waitUntil } from './store.ts';

/** What a payer's attempt came to. */
export type PayOutcome =
  | { outcome: 'approved'; resultId: number | null }
  | { outcome: 'rejected'; code: string; text: string }
  | { outcome: 'action_required'; action: PayerAction }
  | { outcome: 'pending' };

export interface SettleParts {
  base: Base;
  record: RecordFact;
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
const calledOff = { code: 'canceled', text: 'The payment was called off.' };

const named = ({ account_id, id, request_id }: AttemptRow): string =>
  `attempt ${account_id}-${id} of request ${request_id}`;

const isBeyond = (attempt: AttemptRow, seconds: number, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(attempt.started_at.add({ seconds }), now) <= 0;

/** Tells the operator of what nobody decides. */
function tellUndecided({ attempt, channel }: Hearing, now: Temporal.Instant): void {
  if (!isBeyond(attempt, undecidedAfterSeconds, now)) return;
  channel.alarm('undecided', `nobody told what became of ${named(attempt)}`);
}

/** Not known: it is asked for later, and long after its call the operator is told. */
async function wait(
  { base }: SettleParts,
  heard: Hearing,
  {
    askAgainAt,
    unheardAt = null,
  }: { askAgainAt?: Temporal.Instant; unheardAt?: Temporal.Instant | null },
): Promise<PayOutcome> {
  const { attempt } = heard;
  const now = base.clocks.business.now();
  const next = askAgainAt ?? nextAskAt(attempt.started_at, now);
  await waitUntil(base.sql, attempt, next, { unheardAt });
  tellUndecided(heard, now);
  return { outcome: 'pending' };
}

async function unheard(parts: SettleParts, heard: Hearing): Promise<PayOutcome> {
  const { attempt, asked } = heard;
  const now = parts.base.clocks.business.now();
  const which = asked ? hearing(attempt, now) : 'last';
  if (which !== 'last') {
    return await wait(parts, heard, { unheardAt: which === 'first' ? now : null });
  }
  await closeAttempt(parts.base.sql, attempt);
  return { outcome: 'rejected', ...neverArrived };
}

const brandCodes = (request: RequestRow): string[] => {
  const { excluded_card_brands: excluded } = request.details;
  return Array.isArray(excluded) ? excluded.map(String) : [];
};

/** What is not as it was asked for: it is recorded as it is, and the operator is told. */
function tellDifferences({ attempt, request, channel }: Hearing, answer: ChargeAnswer): void {
  const { amount, cardBrand } = answer;
  if (amount !== undefined && amount !== attempt.amount) {
    channel.alarm(
      'amount',
      `${amount} centavos were taken in place of ${attempt.amount}: ${named(attempt)}`,
    );
  }
  if (cardBrand && brandCodes(request).includes(cardBrands[cardBrand].code)) {
    const { label } = cardBrands[cardBrand];
    channel.alarm(
      'excluded_brand',
      `${label} was charged, which the request excludes: ${named(attempt)}`,
    );
  }
}

/** An approval behind a refusal that was recorded: the money came, so it is one more fact. */
async function recordLate(
  { record }: SettleParts,
  { attempt, channel }: Hearing,
  fact: PaymentFact,
) {
  channel.alarm('late_approval', `it was refused and then approved: ${named(attempt)}`);
  return await record({ ...fact, sourceRef: `${attempt.id} approved` });
}

async function approved(
  parts: SettleParts,
  heard: Hearing,
  outcome: Extract<DecidedOutcome, { outcome: 'approved' }>,
): Promise<PayOutcome> {
  const { attempt, request, channel } = heard;
  const { answer } = outcome;
  const { reference } = answer;
  const { sql } = parts.base;
  if (reference !== undefined && !(await claimReference(sql, attempt, reference))) {
    channel.alarm('reference', `${reference} is the charge of another attempt: ${named(attempt)}`);
    return await wait(parts, heard, {});
  }
  const fact = factOf(attempt, request, outcome, await parts.loadCardKinds());
  const first = await parts.record(fact);
  const wasRefused = first.outcome === 'known' && (await typeRecorded(sql, fact)) === 'rejected';
  const recorded = wasRefused ? await recordLate(parts, heard, fact) : first;
  if (recorded.outcome !== 'recorded') return { outcome: 'approved', resultId: null };
  tellDifferences(heard, answer);
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
      tellUndecided(heard, now);
      return { outcome: 'action_required', action };
    }
    case 'unheard':
      return await unheard(parts, heard);
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
