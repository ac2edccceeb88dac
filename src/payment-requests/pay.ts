import type { Centavos } from '../kernel/money.ts';
import {
  type ChannelCode,
  cardBrands,
  channels,
  type Instrument,
  type Payer,
  type TokenInstrument,
} from '../money/channels/index.ts';
import type { Attempts, PayOutcome } from '../money/charges/index.ts';
import type { RecordFact } from '../money/collections/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { type RequestKey, requestRefusal, stateOn } from '../requests/index.ts';
import { refusal } from './codes.ts';
import { allows, type PaymentRequestRow } from './details.ts';
import type { FindPaymentRequest } from './get.ts';

export const allowsBrand = (row: PaymentRequestRow, code: string): boolean =>
  !(row.details.excluded_card_brands ?? []).some((excluded) => String(excluded) === code);

export const allowsInstallments = (row: PaymentRequestRow, count: number): boolean =>
  !(row.details.excluded_installments ?? []).includes(count);

/**
 * Refuses an excluded brand or plan early. Both come from the form and are only hints. The charge's
 * answer is authoritative.
 */
function checkPlan(row: PaymentRequestRow, { brand, plan }: TokenInstrument): void {
  const installments = plan?.installments ?? 1;
  if (brand !== null && !allowsBrand(row, cardBrands[brand].code)) {
    throw refusal('payment_request.card_brand_excluded', { brand: cardBrands[brand].label });
  }
  if (!allowsInstallments(row, installments)) {
    throw refusal('payment_request.installments_excluded', { installments });
  }
}

export interface OnlinePayment {
  channel: ChannelCode;
  instrument: Instrument;
  actor: Actor;
  /** Idempotency key. A repetition returns the first outcome. */
  reference?: string;
  /** From the page: data about the payer, the processor of the token, and the return address. */
  payer?: Partial<Payer>;
  connector?: string;
  returnUrl?: string;
}

export interface OfflinePayment {
  channel: ChannelCode;
  amount: Centavos;
  paidAt: Temporal.Instant;
  source: string;
  sourceRef: string;
  actor: Actor;
}

export interface PayPaymentRequest {
  /**
   * Charges the amount due today. Throws 409 if the request or the channel does not allow it now.
   */
  online(key: RequestKey, payment: OnlinePayment): Promise<PayOutcome>;
  /** Records an offline channel's report in any state of the request. */
  offline(key: RequestKey, payment: OfflinePayment): Promise<void>;
}

export function payPaymentRequests(
  { clocks }: Base,
  find: FindPaymentRequest,
  attempts: Attempts,
  record: RecordFact,
): PayPaymentRequest {
  const rowOf = async (key: RequestKey): Promise<PaymentRequestRow> => {
    const found = await find(key);
    if (!found) throw refusal('payment_request.not_found', {});
    return found.row;
  };
  return {
    async online(key, payment) {
      const { channel, instrument, reference } = payment;
      const earlier = reference
        ? await attempts.outcomeByReference(key.accountId, reference)
        : null;
      if (earlier) return earlier.outcome;
      const row = await rowOf(key);
      const state = stateOn(row, clocks.business.today());
      if (state !== 'pending') throw requestRefusal('request.not_payable', { state });
      if (!allows(row, channel)) throw refusal('payment_request.channel_excluded', { channel });
      if (channel === 'credit_card' && instrument.type === 'token') {
        checkPlan(row, instrument.card);
      }
      return await attempts.pay({ request: row, ...payment });
    },
    async offline(key, { channel, ...fact }) {
      const row = await rowOf(key);
      await record({
        ...fact,
        request: row,
        type: 'collected',
        channel,
        label: channels[channel].label,
        attemptId: null,
        details: {},
      });
    },
  };
}
