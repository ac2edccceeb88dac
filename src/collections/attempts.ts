import { lastFour } from '../kernel/card-number.ts';
import { toJsonNumber } from '../kernel/money.ts';
import type { Base } from '../platform/base.ts';
import { conflict } from '../platform/errors.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import type { Sweep } from '../platform/sweeps.ts';
import { amountDue, type RequestKey, type RequestRow, readRequests } from '../requests/index.ts';
import { cardBrands } from './card-brands.ts';
import type { Channels, ChargeOutcome, Instrument } from './channel.ts';
import { type ChannelCode, channels } from './channels.ts';
import type { RecordFact } from './record.ts';
import type { ResultDetails } from './result.ts';

/** What a payer's attempt came to. */
export type PayOutcome =
  | { outcome: 'approved'; resultId: number | null }
  | { outcome: 'rejected'; code: string; text: string }
  | { outcome: 'pending' };

export interface PayOnline {
  request: RequestRow;
  channel: ChannelCode;
  instrument: Instrument;
  actor: string;
}

/** A started attempt without an answer is asked for after this time: longer than any call lasts. */
const askAfter = { minutes: 2 };

interface AttemptDetails {
  label: string;
  actor: string;
  details: ResultDetails;
}

interface AttemptRow {
  account_id: string;
  id: number;
  request_id: number;
  channel: ChannelCode;
  amount: RequestRow['total1'];
  details: AttemptDetails;
}

function describe(channel: ChannelCode, instrument: Instrument): Omit<AttemptDetails, 'actor'> {
  if (instrument.type !== 'card') return { label: channels[channel].label, details: {} };
  const { card } = instrument;
  const label = cardBrands[card.brand].label;
  return {
    label: channel === 'debit_card' ? `${label} Débito` : label,
    details: {
      payment_metadata: {
        holder_name: card.holderName,
        ...(card.holderEmail !== null && { holder_email: card.holderEmail }),
        card_brand: label,
        card_last_four_digits: lastFour(card.number),
        amount: toJsonNumber(card.financedTotal),
        installments: card.installments,
        installment_amount: toJsonNumber(card.installmentAmount),
      },
    },
  };
}

/**
 * Stores the attempt before the channel is called, if the request is payable by the clock and no
 * other attempt is open: of two tabs one goes on.
 */
async function start(
  sql: Sql,
  attempt: AttemptRow,
  { now, today }: { now: Temporal.Instant; today: Temporal.PlainDate },
): Promise<void> {
  const [row] = await sql<{ payable: boolean; started: boolean }[]>`
    with payable as (
      select account_id, id from requests
      where account_id = ${attempt.account_id} and id = ${attempt.request_id}
        and state = 'pending' and last_due >= ${today}::date
      for update
    ),
    started as (
      insert into attempts (account_id, id, request_id, channel, amount, state, details,
        started_at, ask_at)
      select account_id, ${attempt.id}, id, ${attempt.channel}, ${attempt.amount}, 'started',
        ${JSON.stringify(attempt.details)}::text::json, ${now}::timestamptz,
        ${now.add(askAfter)}::timestamptz
      from payable
      on conflict (account_id, request_id) where state <> 'done' do nothing
      returning id
    )
    select exists (select from payable) as payable, exists (select from started) as started`;
  if (!row?.payable) throw conflict('The request is not payable now: its state changed.');
  if (!row.started) {
    throw conflict('A payment of this request is being processed. Wait for its outcome.');
  }
}

export interface Attempts {
  /** Charges what is due today on an online channel. 409 where it is not payable. */
  pay(input: PayOnline): Promise<PayOutcome>;
  /** Whether a charge of the request still waits for its outcome. */
  hasOpen(key: RequestKey): Promise<boolean>;
  sweep: Sweep;
}

export function openAttempts(base: Base, connected: Channels, record: RecordFact): Attempts {
  const { sql, clocks, recordIds, log } = base;

  /** Writes down what the channel said; may be repeated, the attempt's id makes it one result. */
  const finish = async (
    attempt: AttemptRow,
    request: RequestRow,
    outcome: ChargeOutcome,
  ): Promise<PayOutcome> => {
    if (outcome.outcome === 'unknown') {
      await sql`
        update attempts set state = 'unknown', ask_at = ${outcome.askAgainAt}::timestamptz
        where account_id = ${attempt.account_id} and id = ${attempt.id} and state <> 'done'`;
      return { outcome: 'pending' };
    }
    if (outcome.outcome === 'unheard') {
      await sql`
        update attempts set state = 'done'
        where account_id = ${attempt.account_id} and id = ${attempt.id}`;
      return {
        outcome: 'rejected',
        code: 'unheard',
        text: 'The payment did not reach the channel.',
      };
    }
    const { label, actor, details } = attempt.details;
    const approved = outcome.outcome === 'approved';
    const code = approved ? outcome.answer.authorizationCode : undefined;
    const metadata = details.payment_metadata && {
      ...details.payment_metadata,
      ...(code !== undefined && { authorization_code: code }),
    };
    const recorded = await record({
      request,
      type: approved ? 'collected' : 'rejected',
      channel: attempt.channel,
      label,
      amount: attempt.amount,
      paidAt: clocks.business.now(),
      source: 'attempt',
      sourceRef: String(attempt.id),
      actor,
      attemptId: attempt.id,
      details: {
        ...(metadata && { payment_metadata: metadata }),
        ...(!approved && { state_comment: outcome.text, code: outcome.code }),
      },
    });
    if (!approved) return { outcome: 'rejected', code: outcome.code, text: outcome.text };
    return {
      outcome: 'approved',
      resultId: recorded.outcome === 'recorded' ? recorded.resultId : null,
    };
  };

  const pay = async ({ request, channel, instrument, actor }: PayOnline): Promise<PayOutcome> => {
    const adapter = connected[channel];
    if (!adapter) throw conflict(`The channel ${channel} is not connected here.`);
    const today = clocks.business.today();
    const attempt: AttemptRow = {
      account_id: request.account_id,
      id: await recordIds.next(),
      request_id: request.id,
      channel,
      amount: amountDue(request, today),
      details: { actor, ...describe(channel, instrument) },
    };
    await start(sql, attempt, { now: clocks.business.now(), today });
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
    return await finish(attempt, request, outcome);
  };

  const hasOpen = async ({ accountId, id }: RequestKey): Promise<boolean> => {
    const rows = await sql`
      select 1 from attempts
      where account_id = ${accountId} and request_id = ${id} and state <> 'done'`;
    return rows.length > 0;
  };

  const ask = async (attempt: AttemptRow): Promise<boolean> => {
    const adapter = connected[attempt.channel];
    const [request] = await readRequests(sql, [
      { accountId: attempt.account_id, id: attempt.request_id },
    ]);
    if (!adapter || !request) return false;
    const reference = { accountId: attempt.account_id, attemptId: attempt.id };
    const outcome = await adapter.inquire(reference);
    return (await finish(attempt, request, outcome)).outcome !== 'pending';
  };

  /** A channel that cannot answer is asked again later, so that it holds up nothing else. */
  const postpone = (attempt: AttemptRow, now: Temporal.Instant) => sql`
    update attempts set ask_at = ${now.add(askAfter)}::timestamptz
    where account_id = ${attempt.account_id} and id = ${attempt.id} and state <> 'done'
      and ask_at <= ${now}::timestamptz`;

  const sweep: Sweep = {
    name: 'unanswered charges settled',
    async nextDue() {
      const [row] = await sql<{ due: Temporal.Instant | null }[]>`
        select min(ask_at) as due from attempts where state <> 'done'`;
      return row?.due ?? null;
    },
    async run(now) {
      const due = await sql<AttemptRow[]>`
        select account_id, id, request_id, channel, amount, details from attempts
        where state <> 'done' and ask_at <= ${now}::timestamptz order by ask_at limit 100`;
      let settled = 0;
      for (const attempt of due) {
        try {
          if (await ask(attempt)) settled += 1;
        } catch (error) {
          log.error({ err: error, channel: attempt.channel }, 'a channel failed to answer');
        }
        await postpone(attempt, now);
      }
      return settled;
    },
  };

  return { pay, hasOpen, sweep };
}
