import { compareDays, formatDay, midnightOf } from '../../kernel/dates.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { RailPayment } from '../files/format.ts';

export type PaymentData = Omit<RailPayment, 'code'>;

interface PaidFields {
  amount: Centavos;
  paid_on: Temporal.PlainDate;
  /** Midnight if the file has no time. */
  paid_at?: Temporal.PlainTime | null;
}

export function refuseFuture(
  day: Temporal.PlainDate,
  today: Temporal.PlainDate,
  refuse: (expected: string) => never,
): void {
  if (compareDays(day, today) > 0) refuse(`a day up to today, ${formatDay(today)}`);
}

/** Returns the payment. Calls `refuse` if its amount is zero or its day is in the future. */
export function paidOf(
  { amount, paid_on, paid_at }: PaidFields,
  today: Temporal.PlainDate,
  refuse: (field: 'amount' | 'paid_on', expected: string) => never,
): PaymentData {
  if (amount === 0) refuse('amount', 'an amount above zero');
  refuseFuture(paid_on, today, (expected) => refuse('paid_on', expected));
  const midnight = midnightOf(paid_on);
  if (!paid_at) return { amount, paidAt: midnight };
  return { amount, paidAt: midnight.add({ hours: paid_at.hour, minutes: paid_at.minute }) };
}
