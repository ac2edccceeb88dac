import { type CardBrand, cardBrandNames } from '../../kernel/card-number.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

/** An account's enabled installment plans for a credit card brand. */
export interface AccountPlans {
  brand: CardBrand;
  /** Installment counts. Empty if the brand is disabled. */
  installments: number[];
  /** True if the operator chose them. By default all plans are enabled. */
  chosen: boolean;
}

export async function readAccountPlans(sql: Queryable, accountId: string): Promise<AccountPlans[]> {
  const rows = await sql<AccountPlans[]>`
    select p.brand, a.brand is not null as chosen,
      coalesce(array_agg(p.installments order by p.installments)
        filter (where a.brand is null or p.installments = any(a.installments)), '{}')
        as installments
    from installment_plans p
    left join account_plans a on a.account_id = ${accountId} and a.brand = p.brand
    group by p.brand, a.brand`;
  return rows.toSorted((a, b) => cardBrandNames.indexOf(a.brand) - cardBrandNames.indexOf(b.brand));
}
