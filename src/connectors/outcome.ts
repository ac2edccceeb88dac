import type { Outcome } from '../../connectors/protocol/messages.ts';
import { maskCardNumbers } from '../kernel/card-text.ts';
import { readMoment } from '../kernel/dates.ts';
import { centavos } from '../kernel/money.ts';
import type { AlarmKind, ChargeOutcome, HoldAnswer, PayerAction } from '../money/channels/index.ts';
import { fitsQr } from '../platform/qr-shape.ts';
import type { CallResult } from './call.ts';
import { outcomeIn } from './check.ts';
import { isLoopback } from './settings.ts';

/** The meaning of an answer, and the alarm that it raises. */
export interface Reading {
  outcome: ChargeOutcome;
  alarm?: {
    /** `undecided` concerns this charge's money. The others are faults of the connector. */
    kind: AlarmKind | 'undecided';
    text: string;
    /** True if other charges would fail the same way. */
    ofAll?: boolean;
  };
}

const unknown: ChargeOutcome = { outcome: 'unknown' };
const neverReceived = { outcome: 'unheard' } as const;

const momentIn = (text: string): Temporal.Instant | null => {
  try {
    return readMoment(text);
  } catch {
    return null;
  }
};

function answerOf(outcome: Extract<Outcome, { outcome: 'approved' | 'authorized' }>): HoldAnswer {
  const { reference, authorization_code: code, ticket, tid, amount, brand, kind, bin } = outcome;
  return {
    reference,
    amount: centavos(amount),
    ...(code !== undefined && { authorizationCode: code }),
    ...(ticket !== undefined && { ticket }),
    ...(tid !== undefined && { tid }),
    ...(brand !== undefined && { cardBrand: brand }),
    ...(kind !== undefined && { cardKind: kind }),
    ...(bin !== undefined && { bin }),
    ...(outcome.three_ds !== undefined && { threeDs: outcome.three_ds }),
    ...(outcome.network_transaction_id !== undefined && {
      networkTransactionId: outcome.network_transaction_id,
    }),
    ...(outcome.last_four !== undefined && { lastFour: outcome.last_four }),
  };
}

/**
 * Returns true for https, and on this machine for http. Payers are redirected to no other address.
 */
function isSafe(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}

/**
 * Returns the payer's step, or null if it is incomplete, its address is unsafe, or no QR code can
 * hold its text.
 */
function actionOf({
  kind,
  url,
  data,
  until: text,
}: Extract<Outcome, { outcome: 'action_required' }>): PayerAction | null {
  const until = momentIn(text);
  if (!until) return null;
  if (kind === 'show_qr') {
    return data === undefined || !fitsQr(data) ? null : { kind, data, until };
  }
  return url === undefined || !isSafe(url) ? null : { kind, url, until };
}

const odd = (text: string): Reading => ({ outcome: unknown, alarm: { kind: 'protocol', text } });

/**
 * Adds an alarm. If this charge could not be sent, other charges would fail too, but a refusal may
 * concern this charge alone.
 */
function withAlarm(outcome: ChargeOutcome, text: string | undefined): Reading {
  if (text === undefined) return { outcome };
  const ofAll = outcome.outcome === 'unheard';
  return { outcome, alarm: { kind: 'configuration', text, ofAll } };
}

/** The period, in business time, in which a charge was decided. */
export interface Since {
  startedAt: Temporal.Instant;
  now: Temporal.Instant;
}

/** Tolerated difference between the clocks of both sides. */
const apart = { minutes: 5 };

/**
 * Reads an approval. Omits an impossible time, because the money has arrived anyway, and raises an
 * alarm if it is long before the order.
 */
function approvedOf(
  outcome: Extract<Outcome, { outcome: 'approved' }>,
  { startedAt, now }: Since,
): Reading {
  const answer = answerOf(outcome);
  const decidedAt = outcome.decided_at === undefined ? null : momentIn(outcome.decided_at);
  const plain: ChargeOutcome = { outcome: 'approved', answer };
  if (decidedAt === null || Temporal.Instant.compare(decidedAt, now) > 0) return { outcome: plain };
  if (Temporal.Instant.compare(decidedAt, startedAt) >= 0) {
    return { outcome: { ...plain, decidedAt } };
  }
  if (Temporal.Instant.compare(decidedAt, startedAt.subtract(apart)) >= 0)
    return { outcome: plain };
  const text = `it says that charge ${outcome.reference} was decided at ${decidedAt}, before its order`;
  return { outcome: plain, alarm: { kind: 'protocol', text } };
}

/** Translates a message of the protocol. Relative times count from `since.now`. */
function read(outcome: Outcome, since: Since): Reading {
  const { now } = since;
  switch (outcome.outcome) {
    case 'approved':
      return approvedOf(outcome, since);
    case 'authorized': {
      const expiresAt = momentIn(outcome.expires_at);
      if (!expiresAt) return odd(`the hold of charge ${outcome.reference} expires at no moment`);
      return { outcome: { outcome: 'authorized', answer: answerOf(outcome), expiresAt } };
    }
    case 'rejected': {
      const { code, text, retry, alarm } = outcome;
      return withAlarm({ outcome: 'rejected', code, text, retry }, alarm);
    }
    case 'pending':
      return {
        outcome: { outcome: 'unknown', askAgainAt: now.add({ seconds: outcome.ask_after_s }) },
        ...(outcome.alarm !== undefined && { alarm: { kind: 'undecided', text: outcome.alarm } }),
      };
    case 'action_required': {
      const action = actionOf(outcome);
      if (!action)
        return odd(
          `an action to ${outcome.kind} came without what it needs, or with more than a code holds`,
        );
      return { outcome: { outcome: 'action_required', action } };
    }
    case 'canceled':
      return { outcome: { outcome: 'canceled' } };
    case 'unheard':
      return withAlarm(neverReceived, outcome.alarm);
  }
}

const messageIn = (body: unknown): string => {
  const message =
    typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof message === 'string' ? `: ${maskCardNumbers(message.slice(0, 300))}` : '';
};

function readWhole({ status, body }: Extract<CallResult, { kind: 'answer' }>, since: Since) {
  const outcome = status === 200 ? outcomeIn(body) : null;
  if (outcome) return read(outcome, since);
  return odd(
    status === 200
      ? 'an answer is not a message of the protocol'
      : `a call about a charge got status ${status}${messageIn(body)}`,
  );
}

const conflict = (what: string, body: unknown): Reading => ({
  outcome: unknown,
  alarm: { kind: 'conflict', text: `${what}${messageIn(body)}` },
});

/**
 * Translates the answer to a charge. 422 is a rejection. After any other answer that is not an
 * outcome, the charge is undecided and is never sent again. The same applies without an answer,
 * unless the order was not sent.
 */
export function readCharge(result: CallResult, since: Since): Reading {
  if (result.kind === 'none') {
    const alarm = { kind: 'unreachable', text: result.why } as const;
    return { outcome: result.sent ? unknown : { ...neverReceived, unsent: true }, alarm };
  }
  const { status, body } = result;
  if (status === 409) {
    return conflict('a charge was sent before with another content', body);
  }
  if (status === 422) {
    const text = `a charge was refused as wrong, and nothing was sent${messageIn(body)}`;
    return {
      outcome: {
        outcome: 'rejected',
        code: 'invalid',
        text: 'The order was wrong.',
        retry: 'never',
      },
      alarm: { kind: 'configuration', text },
    };
  }
  if (status === 401 || status === 403) {
    const text = `a charge got status ${status}: the secrets of both sides differ`;
    return { outcome: unknown, alarm: { kind: 'configuration', text, ofAll: true } };
  }
  return readWhole(result, since);
}

/** Returns the outcome of a capture or void. An inconclusive answer needs an inquiry. */
export function readHoldEnd(result: CallResult, since: Since): Reading {
  if (result.kind === 'answer' && result.status === 409) {
    return conflict('the end of a hold was ordered before, otherwise', result.body);
  }
  return readInquiry(result, since, false);
}

/** Delay before repeating an inquiry that was not sent because too many others were under way. */
const unaskedDelay = { minutes: 1 };

/**
 * Translates the answer to an inquiry. `settled`: a connector that does not know the charge by now
 * never will.
 */
export function readInquiry(result: CallResult, since: Since, settled: boolean): Reading {
  if (result.kind === 'none' && result.isBusy) {
    const askAgainAt = since.now.add(unaskedDelay);
    return { outcome: { outcome: 'unknown', askAgainAt, isUnasked: true } };
  }
  if (result.kind === 'none') {
    return { outcome: unknown, alarm: { kind: 'unreachable', text: result.why } };
  }
  if (result.status === 404) return { outcome: settled ? neverReceived : unknown };
  const reading = readWhole(result, since);
  return reading.outcome.outcome === 'unheard' && !settled
    ? { ...reading, outcome: { outcome: 'unheard', early: true } }
    : reading;
}
