import { refuseUnlessActive } from '../../accounts/index.ts';
import { type Actor, actorText } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { conflict } from '../../platform/errors.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import { amountDue, type RequestKey, type RequestRow, readRequests } from '../../requests/index.ts';
import type { ChannelCode, Channels, ChargeOutcome, Instrument } from '../channels/index.ts';
import type { RecordFact } from '../collections/index.ts';
import {
  type AttemptRow,
  askAfter,
  closeAttempt,
  describe,
  factOf,
  findReferenced,
  openAttemptsOf,
  startAttempt,
  waitUntil,
} from './attempt.ts';
import type { TryLimits } from './tries.ts';

/** What a payer's attempt came to. */
export type PayOutcome =
  | { outcome: 'approved'; resultId: number | null }
  | { outcome: 'rejected'; code: string; text: string }
  | { outcome: 'pending' };

export interface PayOnline {
  request: RequestRow;
  channel: ChannelCode;
  instrument: Instrument;
  actor: Actor;
  /** The caller's name for the charge, so that it is made once; none: each call is one. */
  reference?: string;
}

/** A charge that was made before. */
export interface Told {
  requestId: number;
  outcome: PayOutcome;
}

export interface Attempts {
  /**
   * Charges what is due today on an online channel. 409 where it is not payable; 429 after too many
   * refusals.
   */
  pay(input: PayOnline): Promise<PayOutcome>;
  /** What a charge of this reference came to; null: there was none. 409 while nobody knows. */
  told(accountId: string, reference: string): Promise<Told | null>;
  /** Whether a charge of the request still waits for its outcome. */
  hasOpen(key: RequestKey): Promise<boolean>;
  sweep: Sweep;
}

interface Parts {
  base: Base;
  connected: Channels;
  record: RecordFact;
  limits: TryLimits;
}

const neverArrived = { code: 'unheard', text: 'The payment did not reach the channel.' };

/** Writes down what the channel said; may be repeated, the attempt's id makes it one result. */
async function finish(
  { base, record }: Parts,
  attempt: AttemptRow,
  request: RequestRow,
  outcome: ChargeOutcome,
): Promise<PayOutcome> {
  switch (outcome.outcome) {
    case 'unknown':
      await waitUntil(base.sql, attempt, outcome.askAgainAt);
      return { outcome: 'pending' };
    case 'unheard':
      await closeAttempt(base.sql, attempt);
      return { outcome: 'rejected', ...neverArrived };
    case 'approved': {
      const recorded = await record(factOf(attempt, request, outcome));
      const resultId = recorded.outcome === 'recorded' ? recorded.resultId : null;
      return { outcome: 'approved', resultId };
    }
    case 'rejected':
      await record(factOf(attempt, request, outcome));
      return { outcome: 'rejected', code: outcome.code, text: outcome.text };
  }
}

async function pay(
  parts: Parts,
  { request, channel, instrument, actor, reference }: PayOnline,
): Promise<PayOutcome> {
  const { sql, clocks, recordIds, log } = parts.base;
  const adapter = parts.connected[channel];
  if (!adapter) throw conflict(`The channel ${channel} is not connected here.`);
  await refuseUnlessActive(sql, request.account_id);
  const today = clocks.business.today();
  const attempt: AttemptRow = {
    account_id: request.account_id,
    id: await recordIds.next(),
    request_id: request.id,
    channel,
    amount: amountDue(request, today),
    started_at: clocks.business.now(),
    details: { actor: actorText(actor), ...describe(channel, instrument) },
    reference: reference ?? null,
  };
  const held = await startAttempt(sql, attempt, { today, limits: parts.limits });
  let outcome: ChargeOutcome;
  try {
    outcome = await adapter.charge({
      accountId: request.account_id,
      attemptId: attempt.id,
      requestId: request.id,
      channel,
      amount: attempt.amount,
      instrument,
    });
  } catch (error) {
    // The money may have moved: the attempt stays open and the sweep asks.
    log.error({ err: error, channel }, 'a channel failed to answer a charge');
    return { outcome: 'pending' };
  }
  return await finish(parts, attempt, held, outcome);
}

/** The answer of a charge to who asks for it again, as it was recorded. */
async function told({ base }: Parts, accountId: string, reference: string): Promise<Told | null> {
  const found = await findReferenced(base.sql, accountId, reference);
  if (!found) return null;
  const { request_id: requestId, is_open, result_id: resultId, type, details } = found;
  if (is_open) {
    throw conflict('The payment of this call is being processed. Repeat it when it is known.');
  }
  if (type === 'collected') return { requestId, outcome: { outcome: 'approved', resultId } };
  const { code = neverArrived.code, state_comment: text = neverArrived.text } = details ?? {};
  return { requestId, outcome: { outcome: 'rejected', code, text } };
}

/** Asks the channel what became of a charge; answers whether that is known now. */
async function ask(parts: Parts, attempt: AttemptRow): Promise<boolean> {
  const adapter = parts.connected[attempt.channel];
  const [request] = await readRequests(parts.base.sql, [
    { accountId: attempt.account_id, id: attempt.request_id },
  ]);
  if (!adapter || !request) return false;
  const reference = { accountId: attempt.account_id, attemptId: attempt.id };
  const outcome = await adapter.inquire(reference);
  return (await finish(parts, attempt, request, outcome)).outcome !== 'pending';
}

function askSweep(parts: Parts): Sweep {
  const { sql, log } = parts.base;

  /** One that could not be settled is asked again later, so that it holds up nothing else. */
  const postpone = (attempt: AttemptRow, now: Temporal.Instant) => sql`
    update attempts set ask_at = ${now.add(askAfter)}::timestamptz
    where account_id = ${attempt.account_id} and id = ${attempt.id} and state <> 'done'
      and ask_at <= ${now}::timestamptz`;

  return {
    name: 'unanswered charges settled',
    async nextDue() {
      const [row] = await sql<{ due: Temporal.Instant | null }[]>`
        select min(ask_at) as due from attempts where state <> 'done'`;
      return row?.due ?? null;
    },
    async run(now) {
      const due = await sql<AttemptRow[]>`
        select account_id, id, request_id, channel, amount, started_at, details, reference
        from attempts
        where state <> 'done' and ask_at <= ${now}::timestamptz order by ask_at limit 100`;
      let settled = 0;
      for (const attempt of due) {
        try {
          if (await ask(parts, attempt)) settled += 1;
        } catch (error) {
          log.error({ err: error, channel: attempt.channel }, 'a channel failed to answer');
        }
        await postpone(attempt, now);
      }
      return settled;
    },
  };
}

export function createAttemptVerbs(base: Base, terms: Omit<Parts, 'base'>): Attempts {
  const parts: Parts = { base, ...terms };
  return {
    pay: (input) => pay(parts, input),
    told: (accountId, reference) => told(parts, accountId, reference),
    hasOpen: async ({ accountId, id }) => (await openAttemptsOf(base.sql, accountId, [id])).has(id),
    sweep: askSweep(parts),
  };
}
