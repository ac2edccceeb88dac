import { dayOf } from '../kernel/dates.ts';
import { type Centavos, minus, plus, zero } from '../kernel/money.ts';
import { isLive, type ResultRow } from '../money/collections/index.ts';
import type { PaymentRequestRow } from '../payment-requests/index.ts';
import { amountDue } from '../requests/index.ts';
import type { Settlement } from './views/model.ts';

/**
 * Returns the total paid on a request, without refunds and chargebacks, and the amount due on the
 * day on which the payments reached it, or of the last payment if they never did.
 */
export function settlementOf(
  row: PaymentRequestRow,
  results: readonly ResultRow[],
  today: Temporal.PlainDate,
): Settlement {
  const payments = results
    .filter(isLive)
    .toSorted((one, other) => Temporal.Instant.compare(one.paid_at, other.paid_at));
  let paid: Centavos = zero;
  let due = amountDue(row, today);
  let isReached = false;
  for (const { amount, refunded, paid_at: at } of payments) {
    paid = plus(paid, minus(amount, refunded));
    if (!isReached) due = amountDue(row, dayOf(at));
    isReached ||= paid >= due;
  }
  return { paid, due };
}
