import { readActor } from '../../platform/actor.ts';
import type { RequestRow } from '../../requests/index.ts';
import {
  type CardKind,
  type CardKindOf,
  type ChannelCode,
  type ChargeAnswer,
  type ChargeOutcome,
  cardBrands,
  simulatorName,
} from '../channels/index.ts';
import type { PaymentFact, PaymentMetadata } from '../collections/index.ts';
import { type AttemptRow, cardLabel } from './attempt.ts';

export type DecidedOutcome = Extract<ChargeOutcome, { outcome: 'approved' | 'rejected' }>;

/**
 * Determines the card's kind from the acquirer's answer, else from the card's first digits. Returns
 * null if neither is enough.
 */
function kindIn({ cardKind, cardBrand, bin }: ChargeAnswer, kindOf: CardKindOf): CardKind | null {
  if (cardKind) return cardKind;
  return bin !== undefined && cardBrand ? kindOf({ number: bin, brand: cardBrand }) : null;
}

const isCard = (channel: ChannelCode): boolean =>
  channel === 'credit_card' || channel === 'debit_card';

/** Determines channel and label from the acquirer's answer, else from the payer's choice. */
function chargedAs(
  { channel, details: { label, details } }: AttemptRow,
  answer: ChargeAnswer | null,
  kindOf: CardKindOf,
): Pick<PaymentFact, 'channel' | 'label'> {
  if (!answer || !isCard(channel)) return { channel, label };
  const kind = kindIn(answer, kindOf);
  const actualChannel = kind === null ? channel : kind === 'credit' ? 'credit_card' : 'debit_card';
  const brand = answer.cardBrand
    ? cardBrands[answer.cardBrand].label
    : details.payment_metadata?.card_brand;
  return {
    channel: actualChannel,
    label: brand === undefined ? label : cardLabel(brand, actualChannel),
  };
}

/** Converts the acquirer's data on an approval to the interface's terms. */
function answered({
  authorizationCode,
  cardBrand,
  lastFour,
  reference,
  ticket,
  tid,
  threeDs,
  networkTransactionId,
}: ChargeAnswer): PaymentMetadata {
  return {
    ...(authorizationCode !== undefined && { authorization_code: authorizationCode }),
    ...(cardBrand !== undefined && { card_brand: cardBrands[cardBrand].label }),
    ...(lastFour !== undefined && { card_last_four_digits: lastFour }),
    ...(reference !== undefined && { reference }),
    ...(ticket !== undefined && { ticket }),
    ...(tid !== undefined && { tid }),
    ...(threeDs !== undefined && { three_ds: threeDs }),
    ...(networkTransactionId !== undefined && { network_transaction_id: networkTransactionId }),
  };
}

function metadataOf(
  { channel, details: { details } }: AttemptRow,
  answer: ChargeAnswer | null,
): PaymentMetadata | null {
  const own = details.payment_metadata ?? null;
  if (!answer) return own;
  const fromAnswer = answered(answer);
  // On other channels, only an answer with the acquirer's ids adds anything.
  if (!own && !isCard(channel) && answer.reference === undefined) return null;
  const all = { ...own, ...fromAnswer };
  return Object.keys(all).length === 0 ? null : all;
}

const refusalOf = ({ text, code, retry }: Extract<DecidedOutcome, { outcome: 'rejected' }>) => ({
  state_comment: text,
  code,
  ...(retry !== undefined && { retry }),
});

/**
 * Converts a decided charge into a fact, the same one on every call. Its time is that of the
 * decision, else of the attempt, however late the answer, because fees and availability depend on
 * the day. Uses the charged amount and channel.
 */
export function factOf(
  attempt: AttemptRow,
  request: RequestRow,
  decided: DecidedOutcome,
  kindOf: CardKindOf,
): PaymentFact {
  const { actor } = attempt.details;
  const answer = decided.outcome === 'approved' ? decided.answer : null;
  const metadata = metadataOf(attempt, answer);
  return {
    request,
    type: answer ? 'collected' : 'rejected',
    ...chargedAs(attempt, answer, kindOf),
    amount: answer?.amount ?? attempt.amount,
    paidAt: decided.decidedAt ?? attempt.started_at,
    source: 'attempt',
    sourceRef: String(attempt.id),
    actor: readActor(actor),
    attemptId: attempt.id,
    details: {
      ...(metadata && { payment_metadata: metadata }),
      // Results omit the simulator, the default processor.
      ...(attempt.connector !== simulatorName && { connector: attempt.connector }),
      ...(decided.outcome === 'rejected' && refusalOf(decided)),
    },
  };
}
