import type { Centavos } from '../kernel/money.ts';
import type { Clocks } from '../platform/clocks.ts';
import { amountDue, stateOn } from '../requests/index.ts';
import { allows, type PaymentRequestState } from './details.ts';
import type { FindPaymentRequest } from './get.ts';
import { numberInQrId, qrIdOf } from './payment-codes.ts';

/** A wallet's order for a payment request's QR. */
export interface PaymentRequestOrder {
  id: string;
  number: number;
  description: string;
  postalCode: null;
  amount: Centavos;
  state: 'pending' | 'paid' | 'expired' | 'refunded';
}

/** States in the QR service's terms, where every reversal is a refund. */
const stateOfQr = {
  pending: 'pending',
  paid: 'paid',
  expired: 'expired',
  reverted: 'refunded',
  refunded: 'refunded',
} as const satisfies Record<PaymentRequestState, PaymentRequestOrder['state']>;

/**
 * Finds the order of a payment request by the id in its QR. Returns null if there is no such
 * request, or if it excludes QR.
 */
export type FindOrder = (key: {
  accountId: string;
  code: string;
}) => Promise<PaymentRequestOrder | null>;

export const findOrders =
  ({ business }: Pick<Clocks, 'business'>, find: FindPaymentRequest): FindOrder =>
  async ({ accountId, code }) => {
    const number = numberInQrId(code, accountId);
    const found = number === null ? null : await find({ accountId, id: number });
    if (!found || !allows(found.row, 'qr')) return null;
    const { row } = found;
    const today = business.today();
    return {
      id: qrIdOf(row),
      number: row.id,
      description: row.description,
      postalCode: null,
      amount: amountDue(row, today),
      state: stateOfQr[stateOn(row, today)],
    };
  };
