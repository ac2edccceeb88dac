import { lastFour } from '../../kernel/card-number.ts';
import { toJsonNumber } from '../../kernel/money.ts';
import { readActor } from '../../platform/actor.ts';
import { conflict } from '../../platform/errors.ts';
import type { Queryable, Sql } from '../../platform/postgres/connect.ts';
import { lockPayable, type RequestRow } from '../../requests/index.ts';
import type { ChargeOutcome, Instrument } from '../channels/index.ts';
import { type ChannelCode, cardBrands, channels } from '../channels/index.ts';
import { type PaymentFact, type ResultDetails, resultFrom } from '../collections/index.ts';
import { type Pause, pauseOf, refuseIfPaused, type TryLimits } from './tries.ts';

/** A started attempt without an answer is asked for after this time: longer than any call lasts. */
export const askAfter = { minutes: 2 };

interface AttemptDetails {
  label: string;
  /** Who asked for it, as `actorText` writes it. */
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
  started_at: Temporal.Instant;
  details: AttemptDetails;
  /** The caller's name for it, of which there is one attempt; null: it has none. */
  reference: string | null;
}

const cardLabel = (brand: string, channel: ChannelCode): string =>
  channel === 'debit_card' ? `${brand} Débito` : brand;

/** What the result will say of the instrument. */
export function describe(
  channel: ChannelCode,
  instrument: Instrument,
): Omit<AttemptDetails, 'actor'> {
  if (instrument.type !== 'card') return { label: channels[channel].label, details: {} };
  const { card } = instrument;
  const label = cardBrands[card.brand].label;
  return {
    label: cardLabel(label, channel),
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

type Moved = { is_asked: boolean; started: boolean; moved: boolean } & Pause;

/**
 * Stores the attempt before the channel is called, if the request is payable by the clock, asks
 * for this amount, had not too many refusals and has no other attempt open: of two tabs one goes
 * on. Of a request that stays open for many payments each payer goes on, but one reference has one
 * attempt. Answers the request as it
 * is held meanwhile: who changes it, under the same hold, sees the attempt or is seen by it.
 */
export async function startAttempt(
  sql: Sql,
  attempt: AttemptRow,
  { today, limits }: { today: Temporal.PlainDate; limits: TryLimits },
): Promise<RequestRow> {
  const key = { accountId: attempt.account_id, id: attempt.request_id };
  const [row] = await sql<(RequestRow & Moved)[]>`
    with payable as (${lockPayable(sql, key, today)}),
    pause as materialized (${pauseOf(sql, attempt, limits)}),
    -- Refusals were counted before the hold: one that came meanwhile raised the version.
    held as (
      select payable.*, pause.*, pause.is_typed and seen_version <> payable.version as moved
      from payable cross join pause
    ),
    started as (
      insert into attempts (account_id, id, request_id, lane, channel, amount, state, details,
        started_at, ask_at, reference)
      select account_id, ${attempt.id}, id,
        case when details->>'multiple_payment' = 'true' then ${attempt.id} else 0 end,
        ${attempt.channel}, ${attempt.amount}, 'started',
        ${JSON.stringify(attempt.details)}::text::json, ${attempt.started_at}::timestamptz,
        ${attempt.started_at.add(askAfter)}::timestamptz, ${attempt.reference}
      from held
      where asked = ${attempt.amount} and not moved and not is_spent
        and (paused_until is null or paused_until <= ${attempt.started_at}::timestamptz)
      on conflict do nothing
      returning id
    )
    select held.*, asked = ${attempt.amount} as is_asked, exists (select from started) as started
    from held`;
  if (!row) throw conflict('The request is not payable now: its state changed.');
  if (!row.is_asked)
    throw conflict('The amount of the request changed just now. Look at it again.');
  if (row.moved) throw conflict('The request changed just now. Look at it again.');
  refuseIfPaused(row, attempt.started_at);
  if (!row.started) {
    throw conflict('A payment of this request is being processed. Wait for its outcome.');
  }
  return row;
}

/** What is known of the attempt that a reference names. */
export interface Referenced {
  request_id: number;
  is_open: boolean;
  /** What was recorded of it. */
  result_id: number | null;
  type: 'collected' | 'rejected' | null;
  details: ResultDetails | null;
}

export async function findReferenced(
  sql: Queryable,
  accountId: string,
  reference: string,
): Promise<Referenced | null> {
  const [row] = await sql<Referenced[]>`
    select a.request_id, a.state <> 'done' as is_open, result.id as result_id, result.type,
      result.details
    from attempts a
    left join ${resultFrom(sql, { of: 'a', source: 'attempt', ref: sql`a.id::text` })}
    where a.account_id = ${accountId} and a.reference = ${reference}`;
  return row ?? null;
}

type Decided = Extract<ChargeOutcome, { outcome: 'approved' | 'rejected' }>;

/** Channel and label as the payer chose them, or as the acquirer says the card is. */
function chargedAs(
  { channel, details: { label, details } }: AttemptRow,
  decided: Decided,
): Pick<PaymentFact, 'channel' | 'label'> {
  const kind = decided.outcome === 'approved' ? decided.answer.cardKind : undefined;
  const brand = details.payment_metadata?.card_brand;
  if (!kind || brand === undefined) return { channel, label };
  const told = kind === 'credit' ? 'credit_card' : 'debit_card';
  return { channel: told, label: cardLabel(brand, told) };
}

/**
 * A charge that was decided, as the fact to be recorded; repeated, it is the same fact. It is of
 * the moment at which it was decided, or tried where the channel does not tell, however late it is
 * asked for: fees and availability go by that day.
 */
export function factOf(attempt: AttemptRow, request: RequestRow, decided: Decided): PaymentFact {
  const { actor, details } = attempt.details;
  const approved = decided.outcome === 'approved';
  const code = approved ? decided.answer.authorizationCode : undefined;
  const metadata = details.payment_metadata && {
    ...details.payment_metadata,
    ...(code !== undefined && { authorization_code: code }),
  };
  return {
    request,
    type: approved ? 'collected' : 'rejected',
    ...chargedAs(attempt, decided),
    amount: attempt.amount,
    paidAt: decided.decidedAt ?? attempt.started_at,
    source: 'attempt',
    sourceRef: String(attempt.id),
    actor: readActor(actor),
    attemptId: attempt.id,
    details: {
      ...(metadata && { payment_metadata: metadata }),
      ...(!approved && { state_comment: decided.text, code: decided.code }),
    },
  };
}

/**
 * Of these requests, those with an attempt whose outcome is open. For who changes requests: with
 * the requests held by an earlier statement of the same transaction, none can begin any more.
 */
export async function openAttemptsOf(
  sql: Queryable,
  accountId: string,
  requestIds: number[],
): Promise<Set<number>> {
  const rows = await sql<{ request_id: number }[]>`
    select request_id from attempts
    where account_id = ${accountId} and request_id = any(${requestIds}::bigint[])
      and state <> 'done'`;
  return new Set(rows.map((row) => row.request_id));
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
