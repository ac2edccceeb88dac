import type { Centavos } from '../kernel/money.ts';
import type { PayerChannel } from '../money/channels/index.ts';
import type { BrandPlans } from '../money/plans/index.ts';
import { fault } from './codes.ts';
import { type PaymentRequestInput, refusePaymentRequestField } from './schema.ts';

export interface CardPlans {
  offered: readonly PayerChannel[];
  /** Returns the account's brands and plans for an amount. */
  plansFor(accountId: string, amount: Centavos): Promise<BrandPlans[]>;
}

/** Returns true if the payer can use credit cards only. */
export function takesCardsOnly(
  input: PaymentRequestInput,
  offered: readonly PayerChannel[],
): boolean {
  const excluded: readonly string[] = input.excluded_channels?.value ?? [];
  const left = offered.filter((code) => !excluded.includes(code));
  return left.length === 1 && left[0] === 'credit_card';
}

/**
 * Returns the field to blame if no plan is left: excluded brands if sent, else excluded
 * installments, else excluded channels.
 */
function fieldOf({
  excluded_card_brands: brands,
  excluded_installments: counts,
}: PaymentRequestInput) {
  if (brands !== null) return 'excluded_card_brands';
  return counts === null ? 'excluded_channels' : 'excluded_installments';
}

/** Throws 400 if only credit cards could pay the request and no plan is left. */
export async function refuseWithoutPlans(
  accountId: string,
  input: PaymentRequestInput,
  { offered, plansFor }: CardPlans,
): Promise<void> {
  if (!takesCardsOnly(input, offered)) return;
  const brands = await plansFor(accountId, input.first_total);
  const excludedBrands = input.excluded_card_brands?.value ?? [];
  const excludedCounts = input.excluded_installments ?? [];
  const isPayable = brands.some(
    ({ code, plans }) =>
      !excludedBrands.includes(code) &&
      plans.some(({ installments }) => !excludedCounts.includes(installments)),
  );
  if (isPayable) return;
  const enabled = brands.map(
    ({ code, plans }) => `${code} (${plans.map(({ installments }) => installments).join(', ')})`,
  );
  throw refusePaymentRequestField(
    fieldOf(input),
    enabled.length === 0
      ? fault('payment_request.no_plan', {})
      : fault('payment_request.every_plan_excluded', { plans: enabled.join('; ') }),
  );
}
