import { type Centavos, minus, plus, sumOf } from '../../kernel/money.ts';
import type { RequestKind } from '../../requests/index.ts';
import type { ChannelCode, ThreeDs } from '../channels/index.ts';

export type ResultType = 'collected' | 'rejected' | 'chargeback' | 'refund';

/**
 * Data about a card payment, or an acquirer's data about another payment. Never includes the card
 * number.
 */
export interface PaymentMetadata {
  holder_name?: string;
  holder_email?: string;
  authorization_code?: string;
  card_brand?: string;
  card_last_four_digits?: string;
  /** The payer's total in pesos, with the card's financing. */
  amount?: number;
  installments?: number;
  installment_amount?: number;
  /** The acquirer's ids of the charge. */
  reference?: string;
  ticket?: string;
  tid?: string;
  three_ds?: ThreeDs;
  network_transaction_id?: string;
}

export interface ResultDetails {
  payment_metadata?: PaymentMetadata;
  /** The processor. Absent for the simulator. */
  connector?: string;
  state_comment?: string;
  code?: string;
  /** The acquirer's advice to the payer after a refusal. */
  retry?: string;
  /** The disputed payment that this result restores. */
  restores?: number;
}

export interface ResultRow {
  account_id: string;
  id: number;
  request_id: number;
  kind: RequestKind;
  type: ResultType;
  channel: ChannelCode;
  channel_label: string;
  amount: Centavos;
  net_fee: Centavos;
  fee_iva: Centavos;
  withheld: Centavos;
  /** The unavailable part of a collection. */
  unreleased: Centavos;
  refunded: Centavos;
  charged_back: Centavos;
  /** The part reserved by open refunds. */
  refunding: Centavos;
  paid_at: Temporal.Instant;
  informed_at: Temporal.Instant;
  informed_on: Temporal.PlainDate;
  available_on: Temporal.PlainDate | null;
  released_on: Temporal.PlainDate | null;
  reverses_id: number | null;
  source: string;
  source_ref: string;
  reference: string | null;
  payer: string;
  description: string;
  details: ResultDetails;
}

/** Returns true for a collection that is not fully reversed. */
export const isLive = (row: ResultRow): boolean =>
  row.type === 'collected' && row.charged_back === 0 && row.refunded < row.amount;

/** Returns the holder's net amount, after fees and withholdings. */
export const netOf = ({ amount, net_fee: fee, fee_iva: iva, withheld }: ResultRow): Centavos =>
  minus(minus(amount, plus(fee, iva)), withheld);

export const grossFeeOf = ({ net_fee: fee, fee_iva: iva }: ResultRow): Centavos => plus(fee, iva);

/** Sums a request's payments. Returns null if there are none. */
export function paymentsIn(results: readonly ResultRow[]) {
  const payments = results.filter(({ type }) => type === 'collected');
  const last = payments.at(-1);
  if (!last) return null;
  return {
    last,
    gross: sumOf(payments.map(({ amount }) => amount)),
    fee: sumOf(payments.map(grossFeeOf)),
    withheld: sumOf(payments.map(({ withheld }) => withheld)),
    net: sumOf(payments.map(netOf)),
    wentBack: sumOf(payments.map((row) => plus(row.refunded, row.charged_back))),
  };
}

/** Returns the source reference of an approval that follows a recorded refusal. */
export const refusedThenApproved = (attemptId: number): string => `${attemptId} approved`;

/** Returns the source references of an attempt's money, approved at once or after a refusal. */
export const moneyRefs = (attemptId: number): string[] => [
  String(attemptId),
  refusedThenApproved(attemptId),
];

/** Returns true if the result is an attempt's money, approved at once or after a refusal. */
export const isMoneyOf =
  (attemptId: number) =>
  ({ type, source, source_ref: ref }: ResultRow): boolean =>
    type === 'collected' && source === 'attempt' && moneyRefs(attemptId).includes(ref);

/** Returns the id of the attempt that a result came from. Returns null for other sources. */
export const attemptOf = ({
  source,
  source_ref: ref,
}: Pick<ResultRow, 'source' | 'source_ref'>): number | null =>
  source === 'attempt' ? Number.parseInt(ref, 10) : null;
