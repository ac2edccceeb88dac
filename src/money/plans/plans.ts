import { annualCostPpm } from '../../kernel/annual-cost.ts';
import type { CardBrand } from '../../kernel/card-number.ts';
import { type Centavos, centavos, decimalText, share, toJsonNumber } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { cardBrands } from '../channels/index.ts';

/** A way to split an amount on a card: the total with financing, in centavos. */
export interface Plan {
  installments: number;
  total: Centavos;
  /**
   * Amount per installment, rounded half-up. The card's statement settles the difference from
   * rounding.
   */
  each: Centavos;
  /** Total financial cost, as an effective annual rate in parts per million. */
  annualCostPpm: number;
}

export interface BrandPlans {
  brand: CardBrand;
  name: string;
  code: string;
  plans: Plan[];
}

const planOf = (amount: Centavos, installments: number, coefficientPpm: number): Plan => {
  const total = share(amount, coefficientPpm);
  const each = centavos(Math.floor((2 * total + installments) / (2 * installments)));
  return {
    installments,
    total,
    each,
    annualCostPpm: annualCostPpm(amount, { installments, total }),
  };
};

/** Returns the card brands and installment plans for an amount that are enabled for an account. */
export async function readPlans(
  sql: Queryable,
  accountId: string,
  amount: Centavos,
): Promise<BrandPlans[]> {
  const rows = await sql<{ brand: string; installments: number; coefficient_ppm: number }[]>`
    select p.brand, p.installments, p.coefficient_ppm from installment_plans p
    left join account_plans a on a.account_id = ${accountId} and a.brand = p.brand
    where a.brand is null or p.installments = any(a.installments)
    order by p.installments`;
  const byBrand = Map.groupBy(rows, (row) => row.brand);
  return (Object.keys(cardBrands) as CardBrand[])
    .filter((brand) => byBrand.has(brand))
    .map((brand) => ({
      brand,
      name: cardBrands[brand].label,
      code: cardBrands[brand].code,
      plans: (byBrand.get(brand) ?? []).map((row) =>
        planOf(amount, row.installments, row.coefficient_ppm),
      ),
    }));
}

/** Presents the response of GET /helper/channel-installments/{amount} (interface 2.3). */
export const presentPlans = (brands: BrandPlans[]) =>
  brands.map(({ name, code, plans }) => ({
    name,
    code,
    installments: plans.map(({ installments, total, each }) => ({
      installments,
      description: `${installments} ${installments === 1 ? 'cuota' : 'cuotas'} de $ ${decimalText(each)}`,
      total_amount: toJsonNumber(total),
    })),
  }));
