// Longer than 300 lines: the verbs of an attempt, from order to outcome.
import { refuseUnlessActive } from '../../accounts/index.ts';
import { type Actor, actorText } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import { amountDue, type RequestKey, type RequestRow, readRequests } from '../../requests/index.ts';
import type {
  Channel,
  ChannelCode,
  Channels,
  ChargeOutcome,
  Instrument,
  Payer,
} from '../channels/index.ts';
import { endAbandoned } from './abandoned.ts';
import { type AttemptRow, describe, startAttempt } from './attempt.ts';
import { refusal } from './codes.ts';
import { type BegunDebit, beginDebit, chargeDebit, type DebitCharge } from './debit.ts';
import { isForgedAttempt } from './forged.ts';
import { tellExpired } from './holds.ts';
import { createNetworkVerbs, type NetworkVerbs } from './network.ts';
import { endsHold, isNews, type SettleParts } from './reply.ts';
import { firstAskAt, nextAskAt } from './schedule.ts';
import { neverArrived, type PayOutcome, settle } from './settle.ts';
import {
  dueAttempts,
  findReferenced,
  nextAsking,
  type OpenAttempt,
  openAttemptsOf,
  postpone,
  readAttempt,
  readOpen,
} from './store.ts';
import { askForHold, dueHolds, nextHold } from './store-holds.ts';
import type { TryLimits } from './tries.ts';
import {
  type CardTry,
  type CardVelocity,
  type CountedBy,
  countCardTry,
  countedBy,
  recountCardTry,
} from './velocity.ts';

export interface PayOnline {
  request: RequestRow;
  channel: ChannelCode;
  instrument: Instrument;
  actor: Actor;
  /** Idempotency reference of the charge. Without one, each call is a new charge. */
  reference?: string;
  /** The payer, if better known than from the request. */
  payer?: Partial<Payer>;
  /** Processor that created the token. Default: any of the channel. */
  connector?: string;
  /** URL to which a redirected payer returns. */
  returnUrl?: string;
}

export interface EarlierCharge {
  requestId: number;
  outcome: PayOutcome;
}

/** Result of an inquiry. `closed`: the attempt had already ended. */
export interface InquiryResult {
  requestId: number;
  closed: boolean;
  outcome: ChargeOutcome['outcome'];
}

export interface Attempts {
  /**
   * Charges today's amount due online. Throws 409 if the request is not payable or is being paid,
   * the account is not active or no processor serves the channel, 429 after too many tries or
   * refusals.
   */
  pay(input: PayOnline): Promise<PayOutcome>;
  /**
   * Returns the outcome of the charge with this reference, or null if there is none. Throws 409
   * while undecided.
   */
  outcomeByReference(accountId: string, reference: string): Promise<EarlierCharge | null>;
  /** Returns true if a charge of the request is undecided. */
  hasOpen(key: RequestKey): Promise<boolean>;
  /** Returns a request's undecided charge, with the payer's next step, or null if there is none. */
  openOf(key: RequestKey): Promise<OpenAttempt | null>;
  /**
   * Asks the channel for a charge's outcome now, even after its end, and records it. Returns null
   * if this connector has no such attempt, is no longer configured, or the attempt is forged.
   */
  ask(
    attempt: { accountId: string; attemptId: number },
    connector?: string,
  ): Promise<InquiryResult | null>;
  /** Returns the request of a connector's attempt, or null if there is none. */
  requestOf(
    attempt: { accountId: string; attemptId: number },
    connector: string,
  ): Promise<number | null>;
  /**
   * Cancels a request's charge that awaits its payer. Returns false if there is none, or if it was
   * not canceled, because it is too late or the channel cannot cancel.
   */
  callOff(key: RequestKey): Promise<boolean>;
  network: NetworkVerbs;
  /** Stores a debit's attempt within a transaction. `chargeDebit` then charges it. */
  beginDebit(tx: Queryable, id: number, debit: DebitCharge): Promise<BegunDebit>;
  /** Charges a stored debit. `sent` is true if an order may have left this process. */
  chargeDebit(begun: BegunDebit): Promise<{ sent: boolean }>;
  sweep: Sweep;
}

interface Parts extends SettleParts {
  connected: Channels;
  limits: TryLimits;
  velocity: CardVelocity;
}

const brandOf = (instrument: Instrument) =>
  instrument.type === 'token' ? instrument.card.brand : null;

const emailOf = ({ details }: RequestRow): string | null => {
  const { payer_email: email } = details;
  return typeof email === 'string' ? email : null;
};

/** Merges the page's data about the payer with the request's. The page's data wins. */
const payerOf = (request: RequestRow, seen: Partial<Payer> = {}): Payer => ({
  ...seen,
  name: seen.name ?? request.payer,
  email: seen.email ?? emailOf(request),
  ip: seen.ip ?? null,
  userAgent: seen.userAgent ?? null,
});

/** Charges a request. Counts card attempts against their limits first. */
async function pay(parts: Parts, input: PayOnline): Promise<PayOutcome> {
  const { instrument, request } = input;
  if (instrument.type !== 'token') return await charge(parts, input, await begin(parts, input));
  const tried: CardTry = {
    accountId: request.account_id,
    ip: input.payer?.ip ?? null,
    card: instrument.card,
  };
  await countCardTry(parts.base, tried, parts.velocity);
  const counted = countedBy(tried, parts.velocity);
  const recount = (move: 'approved' | 'unanswered') => recountCardTry(parts.base, counted, move);
  const rethrowAfter =
    (move: 'approved' | 'unanswered') =>
    async (error: unknown): Promise<never> => {
      await recount(move);
      throw error;
    };
  // No channel has seen the card yet, so an error removes the try from the counts.
  const begun = await begin(parts, input, counted).catch(rethrowAfter('approved'));
  // From here on the card may have been tried, and an inquiry finds the outcome.
  const came = await charge(parts, input, begun).catch(rethrowAfter('unanswered'));
  if (came.outcome === 'approved') await recount('approved');
  if (came.outcome === 'pending') await recount('unanswered');
  return came;
}

/** A stored attempt that no channel has seen. */
interface Begun {
  attempt: AttemptRow;
  request: RequestRow;
  channel: Channel;
}

async function begin(parts: Parts, input: PayOnline, counted: CountedBy = []): Promise<Begun> {
  const { request, channel: code, instrument, actor } = input;
  const { sql, clocks, recordIds } = parts.base;
  const wish = input.connector === undefined ? {} : { name: input.connector };
  const channel = parts.connected.choose(code, { brand: brandOf(instrument), ...wish });
  if (!channel) throw refusal('charge.channel_unavailable', { channel: code });
  await refuseUnlessActive(sql, request.account_id);
  const today = clocks.business.today();
  const startedAt = clocks.business.now();
  const attempt: AttemptRow = {
    account_id: request.account_id,
    id: await recordIds.next(),
    request_id: request.id,
    channel: code,
    connector: channel.name,
    amount: amountDue(request, today),
    started_at: startedAt,
    unheard_at: null,
    action_until: null,
    reference: input.reference ?? null,
    details: {
      actor: actorText(actor),
      ...(counted.length > 0 && { counted }),
      ...describe(code, instrument),
    },
  };
  const askAt = firstAskAt(startedAt, channel.answersWithinS);
  const updatedRequest = await startAttempt(sql, attempt, { today, limits: parts.limits, askAt });
  return { attempt, request: updatedRequest, channel };
}

async function charge(
  parts: Parts,
  input: PayOnline,
  { attempt, request, channel }: Begun,
): Promise<PayOutcome> {
  const { channel: code, instrument } = input;
  let outcome: ChargeOutcome;
  try {
    outcome = await channel.charge({
      accountId: request.account_id,
      attemptId: attempt.id,
      requestId: request.id,
      channel: code,
      amount: attempt.amount,
      instrument,
      payer: payerOf(request, input.payer),
      description: request.description,
      reference: request.reference,
      returnUrl: input.returnUrl ?? null,
    });
  } catch (error) {
    // The money may have moved, so the attempt stays open and the sweep inquires.
    parts.base.log.error({ err: error, channel: code }, 'a channel failed to answer a charge');
    return { outcome: 'pending' };
  }
  return await settle(parts, { attempt, request, channel, outcome, isInquiry: false });
}

async function outcomeOf(
  { base }: Parts,
  accountId: string,
  reference: string,
): Promise<EarlierCharge | null> {
  const found = await findReferenced(base.sql, accountId, reference);
  if (!found) return null;
  const { request_id: requestId, is_open, result_id: resultId, type, details } = found;
  if (is_open) throw refusal('charge.outcome_unknown', {});
  if (type === 'collected') return { requestId, outcome: { outcome: 'approved', resultId } };
  const { code = neverArrived.code, state_comment: text = neverArrived.text } = details ?? {};
  return { requestId, outcome: { outcome: 'rejected', code, text } };
}

/**
 * Corrects the counts of card attempts for a late outcome. A redirected payer's attempt counts as a
 * try until the charge is authorized.
 */
async function recount(
  { base }: Parts,
  { details: { counted = [] }, action_until: action }: AttemptRow,
  outcome: ChargeOutcome['outcome'] | 'pending',
): Promise<void> {
  const wasUnanswered = action === null;
  if (outcome === 'pending' && !wasUnanswered) await recountCardTry(base, counted, 'unanswered');
  if (outcome === 'approved') {
    await recountCardTry(base, counted, wasUnanswered ? 'approvedLater' : 'approved');
  }
  if (outcome === 'rejected' && wasUnanswered) await recountCardTry(base, counted, 'refusedLater');
}

/**
 * Asks the channel for a charge's outcome and records it. Returns null, without asking, if its
 * connector is no longer configured, its request is gone, or the attempt is forged.
 */
async function askFor(
  parts: Parts,
  attempt: AttemptRow,
  closed: boolean,
): Promise<{ outcome: ChargeOutcome['outcome']; settled: boolean } | null> {
  const channel = parts.connected.named(attempt.connector);
  const [request] = await readRequests(parts.base.sql, [
    { accountId: attempt.account_id, id: attempt.request_id },
  ]);
  if (!channel || !request || (await isForgedAttempt(parts.base, attempt))) return null;
  const answer = await channel.inquire({
    accountId: attempt.account_id,
    attemptId: attempt.id,
    startedAt: attempt.started_at,
  });
  if (closed && !isNews(answer)) {
    const settled = endsHold(answer);
    const hearing = { attempt, request, channel, outcome: answer, isInquiry: true };
    if (settled) await askForHold(parts.base.sql, attempt, null);
    else await tellExpired(parts, hearing);
    if (answer.outcome === 'unknown' && answer.isUnasked && answer.askAgainAt) {
      await askForHold(parts.base.sql, attempt, answer.askAgainAt);
    }
    return { outcome: answer.outcome, settled };
  }
  const now = parts.base.clocks.business.now();
  const outcome = closed ? answer : await endAbandoned(channel, attempt, answer, now);
  const came = await settle(parts, { attempt, request, channel, outcome, isInquiry: true });
  const final = outcome.outcome === 'authorized' ? came.outcome : outcome.outcome;
  if (!closed) await recount(parts, attempt, final);
  const settled = came.outcome === 'approved' || came.outcome === 'rejected';
  return { outcome: outcome.outcome, settled };
}

async function callOff(parts: Parts, { accountId, id }: RequestKey): Promise<boolean> {
  const open = await readOpen(parts.base.sql, accountId, id);
  const key = open?.action ? { account_id: accountId, id: open.id } : null;
  const attempt = key && (await readAttempt(parts.base.sql, key));
  const channel = attempt && parts.connected.named(attempt.connector);
  const [request] = await readRequests(parts.base.sql, [{ accountId, id }]);
  if (!attempt || !channel || !request) return false;
  if (await isForgedAttempt(parts.base, attempt)) return false;
  const reference = { accountId, attemptId: attempt.id, startedAt: attempt.started_at };
  const outcome = await channel.cancel(reference, attempt.channel);
  // Undecided, so the schedule inquires again.
  if (outcome.outcome === 'unknown' || outcome.outcome === 'unheard') return false;
  await settle(parts, { attempt, request, channel, outcome, isInquiry: true });
  return outcome.outcome === 'canceled' || outcome.outcome === 'rejected';
}

/**
 * Maximum number of open attempts that a sweep asks about at once. It applies separately to ended
 * attempts with a hold.
 */
const inquiriesAtOnce = 32;

function askSweep(parts: Parts): Sweep {
  const { sql, log } = parts.base;

  const askOne = async (
    attempt: AttemptRow,
    { now, closed }: { now: Temporal.Instant; closed: boolean },
  ): Promise<boolean> => {
    let settled = false;
    const until = nextAskAt(attempt.started_at, now);
    // Schedule first, because a hold that ends clears the schedule.
    if (closed) await askForHold(sql, attempt, until);
    try {
      settled = (await askFor(parts, attempt, closed))?.settled ?? false;
    } catch (error) {
      log.error({ err: error, connector: attempt.connector }, 'a channel failed to answer');
    }
    if (!closed) await postpone(sql, attempt, { now, until });
    return settled;
  };

  return {
    name: 'unanswered charges settled',
    async nextDue() {
      const [open, ended] = [await nextAsking(sql), await nextHold(sql)];
      if (!open || !ended) return open ?? ended;
      return Temporal.Instant.compare(open, ended) < 0 ? open : ended;
    },
    async run(now) {
      const open = await dueAttempts(sql, now, inquiriesAtOnce);
      const ended = await dueHolds(sql, now, inquiriesAtOnce);
      const settled = await Promise.all([
        ...open.map((attempt) => askOne(attempt, { now, closed: false })),
        ...ended.map((attempt) => askOne(attempt, { now, closed: true })),
      ]);
      return settled.filter(Boolean).length;
    },
  };
}

export function createAttemptVerbs(base: Base, terms: Omit<Parts, 'base'>): Attempts {
  const parts: Parts = { base, ...terms };
  const { sql } = base;
  return {
    pay: (input) => pay(parts, input),
    outcomeByReference: (accountId, reference) => outcomeOf(parts, accountId, reference),
    hasOpen: async ({ accountId, id }) => (await openAttemptsOf(sql, accountId, [id])).has(id),
    openOf: ({ accountId, id }) => readOpen(sql, accountId, id),
    async ask({ accountId, attemptId }, connector) {
      const attempt = await readAttempt(sql, { account_id: accountId, id: attemptId });
      if (!attempt || (connector !== undefined && attempt.connector !== connector)) return null;
      const closed = !attempt.open;
      const result = await askFor(parts, attempt, closed);
      return result && { requestId: attempt.request_id, closed, outcome: result.outcome };
    },
    async requestOf({ accountId, attemptId }, connector) {
      const attempt = await readAttempt(sql, { account_id: accountId, id: attemptId });
      return attempt?.connector === connector ? attempt.request_id : null;
    },
    callOff: (key) => callOff(parts, key),
    network: createNetworkVerbs(parts),
    beginDebit: (tx, id, debit) => beginDebit(tx, base, id, debit),
    chargeDebit: (begun) => chargeDebit(parts, begun),
    sweep: askSweep(parts),
  };
}
