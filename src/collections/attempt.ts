import { lastFour } from '../kernel/card-number.ts';
import { toJsonNumber } from '../kernel/money.ts';
import { conflict } from '../platform/errors.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import type { RequestRow } from '../requests/index.ts';
import { cardBrands } from './card-brands.ts';
import type { ChargeOutcome, Instrument } from './channel.ts';
import { type ChannelCode, channels } from './channels.ts';
import type { PaymentFact } from './record.ts';
import type { ResultDetails } from './result.ts';

/** A started attempt without an answer is asked for after this time: longer than any call lasts. */
export const askAfter = { minutes: 2 };

interface AttemptDetails {
  label: string;
  actor: string;
  details: ResultDetails;
}

/** An attempt as it is stored; never with the card's number. */
export interface AttemptRow {
  account_id: string;
  id: number;
  request_id: number;
  channel: ChannelCode;
  amount: RequestRow['total1'];
  details: AttemptDetails;
}

/** What the result will say of the instrument. */
export function describe(
  channel: ChannelCode,
  instrument: Instrument,
): Omit<AttemptDetails, 'actor'> {
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
export async function startAttempt(
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

/** A charge that was decided, as the fact to be recorded; repeated, it is the same fact. */
export function factOf(
  attempt: AttemptRow,
  request: RequestRow,
  decided: Extract<ChargeOutcome, { outcome: 'approved' | 'rejected' }>,
  paidAt: Temporal.Instant,
): PaymentFact {
  const { label, actor, details } = attempt.details;
  const approved = decided.outcome === 'approved';
  const code = approved ? decided.answer.authorizationCode : undefined;
  const metadata = details.payment_metadata && {
    ...details.payment_metadata,
    ...(code !== undefined && { authorization_code: code }),
  };
  return {
    request,
    type: approved ? 'collected' : 'rejected',
    channel: attempt.channel,
    label,
    amount: attempt.amount,
    paidAt,
    source: 'attempt',
    sourceRef: String(attempt.id),
    actor,
    attemptId: attempt.id,
    details: {
      ...(metadata && { payment_metadata: metadata }),
      ...(!approved && { state_comment: decided.text, code: decided.code }),
    },
  };
}

type Key = Pick<AttemptRow, 'account_id' | 'id'>;

/** Asks again later: the outcome is not known, or the channel cannot answer now. */
export async function waitUntil(
  sql: Sql,
  { account_id, id }: Key,
  moment: Temporal.Instant,
): Promise<void> {
  await sql`
    update attempts set state = 'unknown', ask_at = ${moment}::timestamptz
    where account_id = ${account_id} and id = ${id} and state <> 'done'`;
}

/** Ends an attempt that took nothing and leaves no result. */
export async function closeAttempt(sql: Sql, { account_id, id }: Key): Promise<void> {
  await sql`
    update attempts set state = 'done' where account_id = ${account_id} and id = ${id}`;
}
