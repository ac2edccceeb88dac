import { toJsonNumber } from '../../kernel/money.ts';
import type { Refusal } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import {
  lockPayable,
  type RequestKey,
  type RequestRow,
  readRequests,
  requestRefusal,
  stateOn,
} from '../../requests/index.ts';
import type { Instrument, StoredCard, TokenInstrument } from '../channels/index.ts';
import { type ChannelCode, cardBrands, channels } from '../channels/index.ts';
import type { ResultDetails } from '../collections/index.ts';
import { refusal } from './codes.ts';
import { stampAttempt } from './stamp.ts';
import { type Pause, pauseOf, refuseIfPaused, type TryLimits } from './tries.ts';
import type { CountedBy } from './velocity.ts';

interface AttemptDetails {
  label: string;
  /** The actor, as written by `actorText`. */
  actor: string;
  details: ResultDetails;
  /** For a card token, the counters of card attempts that include this charge. */
  counted?: CountedBy;
  /** For a payment that its network started, the scanned code or the requested target. */
  asked?: string;
}

/** A stored attempt. Never includes the card number. */
export interface AttemptRow {
  account_id: string;
  id: number;
  request_id: number;
  channel: ChannelCode;
  connector: string;
  amount: RequestRow['total1'];
  started_at: Temporal.Instant;
  /** When the channel first reported that it does not know the charge. */
  unheard_at: Temporal.Instant | null;
  /** Deadline of the payer's step. Null if there is none. */
  action_until: Temporal.Instant | null;
  details: AttemptDetails;
  /** The caller's reference, unique within the account. Null if absent. */
  reference: string | null;
}

export const cardLabel = (brand: string, channel: ChannelCode): string =>
  channel === 'debit_card' ? `${brand} Débito` : brand;

function planOf({ plan }: TokenInstrument) {
  return (
    plan && {
      amount: toJsonNumber(plan.total),
      installments: plan.installments,
      installment_amount: toJsonNumber(plan.each),
    }
  );
}

function describeStoredCard({
  brand,
  lastFour: digits,
}: StoredCard): Pick<AttemptDetails, 'label' | 'details'> {
  const { label } = cardBrands[brand];
  const metadata = { card_brand: label, card_last_four_digits: digits };
  return { label, details: { payment_metadata: metadata } };
}

/** Describes the instrument, for the result. */
export function describe(
  channel: ChannelCode,
  instrument: Instrument,
): Pick<AttemptDetails, 'label' | 'details'> {
  if (instrument.type === 'kept_card') return describeStoredCard(instrument.card);
  if (instrument.type !== 'token') {
    return { label: channels[channel].label, details: {} };
  }
  const { card } = instrument;
  const brand = card.brand && cardBrands[card.brand].label;
  return {
    label: brand === null ? channels[channel].label : cardLabel(brand, channel),
    details: {
      payment_metadata: {
        ...(card.holderName !== null && { holder_name: card.holderName }),
        ...(card.holderEmail !== null && { holder_email: card.holderEmail }),
        ...(brand !== null && { card_brand: brand }),
        ...(card.lastFour !== null && { card_last_four_digits: card.lastFour }),
        ...planOf(card),
      },
    },
  };
}

type Moved = { is_asked: boolean; started: boolean; moved: boolean } & Pause;

/**
 * Returns the refusal for a request that is not payable. Reads the request again, because its state
 * may have just changed.
 */
async function notPayable(
  sql: Queryable,
  key: RequestKey,
  today: Temporal.PlainDate,
): Promise<Refusal> {
  const [request] = await readRequests(sql, [key]);
  return request
    ? requestRefusal('request.not_payable', { state: stateOn(request, today) })
    : requestRefusal('request.not_found', {});
}

/**
 * Stores an attempt before the channel is called, if the request is payable now for this amount,
 * has no open attempt and few enough refusals. Otherwise throws 409, 429 after too many refusals,
 * or 404 if the request does not exist. Of two tabs, one continues. A request for many payments
 * accepts any number of payers, but one attempt per reference. Returns the locked request, so that
 * concurrent changes see the attempt or precede it.
 */
export async function startAttempt(
  sql: Queryable,
  attempt: AttemptRow,
  {
    today,
    limits,
    askAt,
  }: { today: Temporal.PlainDate; limits: TryLimits; askAt: Temporal.Instant },
): Promise<RequestRow> {
  const key = { accountId: attempt.account_id, id: attempt.request_id };
  const stamp = await stampAttempt(sql, attempt);
  const [row] = await sql<(RequestRow & Moved)[]>`
    with payable as (${lockPayable(sql, key, today)}),
    pause as materialized (${pauseOf(sql, attempt, limits)}),
    -- Refusals are counted in the statement's snapshot. One committed since has raised the version
    -- of the locked row.
    held as (
      select payable.*, pause.*, pause.is_typed and seen_version <> payable.version as moved
      from payable cross join pause
    ),
    started as (
      insert into attempts (account_id, id, request_id, lane, channel, connector, amount, state,
        details, started_at, ask_at, reference, stamp)
      select account_id, ${attempt.id}, id,
        case when details->>'multiple_payment' = 'true' then ${attempt.id} else 0 end,
        ${attempt.channel}, ${attempt.connector}, ${attempt.amount}, 'started',
        ${JSON.stringify(attempt.details)}::text::json, ${attempt.started_at}::timestamptz,
        ${askAt}::timestamptz, ${attempt.reference}, ${stamp}
      from held
      where asked = ${attempt.amount} and not moved and not is_spent
        and (paused_until is null or paused_until <= ${attempt.started_at}::timestamptz)
      on conflict do nothing
      returning id
    )
    select held.*, asked = ${attempt.amount} as is_asked, exists (select from started) as started
    from held`;
  if (!row) throw await notPayable(sql, key, today);
  if (!row.is_asked) throw refusal('charge.amount_changed', {});
  if (row.moved) throw refusal('charge.request_changed', {});
  refuseIfPaused(row, attempt.started_at);
  if (!row.started) throw refusal('charge.being_processed', {});
  return row;
}
