import { isDeepStrictEqual } from 'node:util';
import { lockAccount, noteAccount, raiseVersion } from '../../accounts/index.ts';
import type { CardBrand } from '../../kernel/card-number.ts';
import type { Acting } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { cardBrands } from '../channels/index.ts';
import { refusal } from './codes.ts';
import { type AccountPlans, readAccountPlans } from './reads.ts';

export interface PlanChange {
  accountId: string;
  brand: CardBrand;
  /** Installment counts. Empty disables the brand, null enables all. */
  installments: readonly number[] | null;
}

async function refuseUnknown(sql: Queryable, { brand, installments }: PlanChange): Promise<void> {
  const rows = await sql<{ installments: number }[]>`
    select installments from installment_plans where brand = ${brand} order by installments`;
  const known = rows.map((row) => row.installments);
  const wrong = (installments ?? []).filter((count) => !known.includes(count));
  if (known.length > 0 && wrong.length === 0) return;
  const { label } = cardBrands[brand];
  if (known.length === 0) throw refusal('plan.none', { brand: label });
  throw refusal('plan.unknown', {
    brand: label,
    wrong: wrong.join(', '),
    known: known.join(', '),
  });
}

/**
 * Sets which of a brand's installment plans are enabled for an account. Unchanged plans record no
 * event. Throws 400 for an unknown plan or a brand without plans, 404 for an unknown account.
 */
export const setAccountPlans =
  (acting: Acting) =>
  async (change: PlanChange): Promise<AccountPlans[]> => {
    const { accountId, brand, installments } = change;
    await refuseUnknown(acting.sql, change);
    const counts = installments && [...new Set(installments)].toSorted((a, b) => a - b);
    const eventId = await acting.recordIds.next();
    return await acting.sql.begin(async (tx) => {
      await lockAccount(tx, accountId);
      const [was] = await tx<{ installments: number[] }[]>`
        select installments from account_plans
        where account_id = ${accountId} and brand = ${brand}`;
      if (isDeepStrictEqual(was?.installments ?? null, counts)) {
        return await readAccountPlans(tx, accountId);
      }
      const version = await raiseVersion(tx, accountId);
      if (counts === null) {
        await tx`delete from account_plans where account_id = ${accountId} and brand = ${brand}`;
      } else {
        await tx`
          insert into account_plans (account_id, brand, installments)
          values (${accountId}, ${brand}, ${counts}::smallint[])
          on conflict (account_id, brand) do update set installments = excluded.installments`;
      }
      await noteAccount(tx, acting, {
        accountId,
        version,
        eventId,
        type: 'account.changed',
        data: {
          card_plans: { brand, installments: counts ?? 'all' },
          before: { card_plans: { brand, installments: was?.installments ?? 'all' } },
        },
      });
      return await readAccountPlans(tx, accountId);
    });
  };
