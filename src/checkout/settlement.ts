import { compareDays, dayOf } from '../kernel/dates.ts';
import { centavos } from '../kernel/money.ts';
import type { ResultRow } from '../money/collections/index.ts';
import type { PaymentRequestRow } from '../payment-requests/index.ts';
import { amountDue } from '../requests/index.ts';
import type { Settlement } from './views/model.ts';

/** Returns the payments without a chargeback. */
const effectivePayments = (results: readonly ResultRow[]) =>
  results.filter((one) => one.type === 'collected' && one.charged_back === 0);

/** Returns the total paid on a request, and the amount due at the last payment. */
export function settlementOf(
  row: PaymentRequestRow,
  results: readonly ResultRow[],
  today: Temporal.PlainDate,
): Settlement {
  const payments = effectivePayments(results);
  const paid = payments.reduce((sum, one) => sum + one.amount - one.refunded, 0);
  const days = payments.map((one) => dayOf(one.paid_at)).toSorted(compareDays);
  return { paid: centavos(paid), due: amountDue(row, days.at(-1) ?? today) };
}
