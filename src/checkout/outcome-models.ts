import { fromJsonNumber } from '../kernel/money.ts';
import type { ResultRow } from '../money/collections/index.ts';
import { backUrlOf } from './back.ts';
import {
  checkoutPath,
  receiptPath,
  rejectedPath,
  requestModel,
  type Visit,
  withLang,
} from './page.ts';
import { settlementOf } from './settlement.ts';
import type {
  InstallmentOption,
  PausedModel,
  ReceiptModel,
  RejectedModel,
  RejectionReason,
} from './views/model.ts';

type CardDetails = NonNullable<ResultRow['details']['payment_metadata']>;

/** Returns the card's installments. Undefined for a single payment, or without their amounts. */
const installmentsOf = (card: CardDetails): InstallmentOption | undefined =>
  card.installments === undefined ||
  card.installments === 1 ||
  card.installment_amount === undefined ||
  card.amount === undefined
    ? undefined
    : {
        count: card.installments,
        amount: fromJsonNumber(card.installment_amount),
        total: fromJsonNumber(card.amount),
      };

export function receiptModel(visit: Visit, result: ResultRow, sandbox: boolean): ReceiptModel {
  const { row } = visit;
  const card = result.details.payment_metadata;
  const code = card?.authorization_code;
  const back = backUrlOf(row, 'paid');
  const settlement = settlementOf(row, visit.results, visit.today);
  const installments = card && installmentsOf(card);
  return {
    ...requestModel(visit, sandbox),
    pageUrl: receiptPath(visit.token),
    payerName: row.payer,
    description: row.description,
    ...(row.reference !== null && { reference: row.reference }),
    amount: result.amount,
    paidAt: result.paid_at,
    channel: result.channel_label,
    ...(card?.card_last_four_digits !== undefined && {
      cardLastFour: card.card_last_four_digits,
    }),
    ...(installments && { installments }),
    ...(code !== undefined && { authorizationCode: code }),
    ...(settlement.paid !== settlement.due && { settlement }),
    ...(back && { backUrl: back }),
    pdfUrl: withLang(`${receiptPath(visit.token)}.pdf`, visit.lang),
  };
}

const reasons: Readonly<Partial<Record<string, RejectionReason>>> = {
  insufficient_funds: 'insufficient_funds',
  stop_debit: 'stop_debit',
  expired: 'expired',
  canceled: 'canceled',
  not_captured: 'not_captured',
  voided: 'not_captured',
};

/** The payer's options after a refusal, keyed by the acquirer's advice. */
const retries: Readonly<Partial<Record<string, RejectionReason>>> = {
  never: 'never',
  other_instrument: 'other_instrument',
  same_later: 'same_later',
  same_now: 'same_now',
  call_issuer: 'call_issuer',
};

/** Returns an attempt's refusal in the page's terms. */
function reasonOf(result: ResultRow): RejectionReason {
  const isCard = result.channel === 'credit_card' || result.channel === 'debit_card';
  const { code = '', retry = '' } = result.details;
  const reason = reasons[code] ?? retries[retry];
  if (reason === 'other_instrument' && !isCard) return 'rejected_by_bank';
  // Only credit cards allow choosing fewer installments.
  if (reason === 'insufficient_funds' && result.channel !== 'credit_card') return 'no_balance';
  return reason ?? (isCard ? 'rejected_by_issuer' : 'rejected_by_bank');
}

export function rejectedModel(visit: Visit, result: ResultRow, sandbox: boolean): RejectedModel {
  const back = backUrlOf(visit.row, 'rejected');
  return {
    ...requestModel(visit, sandbox),
    pageUrl: rejectedPath(visit.token),
    payPath: checkoutPath(visit.token),
    reason: reasonOf(result),
    ...(back && { backUrl: back }),
  };
}

/** Builds the model after too many refusals, with the time of the next attempt, if there is one. */
export const pausedModel = (
  visit: Visit,
  until: Temporal.Instant | null,
  sandbox: boolean,
): PausedModel => ({
  ...requestModel(visit, sandbox),
  // Rounded up to the minute, so that it is never too early.
  ...(until && { until: until.round({ smallestUnit: 'minute', roundingMode: 'ceil' }) }),
});
