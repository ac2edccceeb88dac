import { joinAccounts } from '../../accounts/index.ts';
import { compareDays } from '../../kernel/dates.ts';
import { type Centavos, share } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

/** A tax rate to withhold from a holder's collections, from the register by CUIT. */
export interface WithholdingRate {
  regime: string;
  jurisdiction: string;
  ratePpm: number;
  validFrom: Temporal.PlainDate;
  validTo: Temporal.PlainDate | null;
}

export interface Withholding {
  regime: string;
  jurisdiction: string;
  base: Centavos;
  ratePpm: number;
  amount: Centavos;
}

const isBefore = (a: Temporal.PlainDate, b: Temporal.PlainDate): boolean => compareDays(a, b) < 0;

export const covers = (rate: WithholdingRate, day: Temporal.PlainDate): boolean =>
  !isBefore(day, rate.validFrom) && (rate.validTo === null || !isBefore(rate.validTo, day));

/** Returns a day's rates: per regime and jurisdiction, the one with the latest start. */
export function ratesOn(
  rates: readonly WithholdingRate[],
  day: Temporal.PlainDate,
): WithholdingRate[] {
  const inForce = new Map<string, WithholdingRate>();
  for (const rate of rates) {
    const key = `${rate.regime}\n${rate.jurisdiction}`;
    const other = inForce.get(key);
    if (!covers(rate, day) || (other && isBefore(rate.validFrom, other.validFrom))) continue;
    inForce.set(key, rate);
  }
  return [...inForce.values()];
}

/** Computes withholdings on the whole amount paid. Rounds each line half-up, and omits zeros. */
export const withholdingsOn = (
  amount: Centavos,
  rates: WithholdingRate[],
  day: Temporal.PlainDate,
): Withholding[] =>
  ratesOn(rates, day)
    .map(({ regime, jurisdiction, ratePpm }) => ({
      regime,
      jurisdiction,
      base: amount,
      ratePpm,
      amount: share(amount, ratePpm),
    }))
    .filter((line) => line.amount > 0);

/** Reads the registers' rates for accounts' CUITs. */
export async function readWithholdingRates(
  sql: Queryable,
  accountIds: string[],
): Promise<Map<string, WithholdingRate[]>> {
  const rows = await sql<
    {
      account_id: string;
      regime: string;
      jurisdiction: string;
      rate_ppm: number;
      valid_from: Temporal.PlainDate;
      valid_to: Temporal.PlainDate | null;
    }[]
  >`
    select a.id as account_id, w.regime, w.jurisdiction, w.rate_ppm, w.valid_from, w.valid_to
    from unnest(${accountIds}::text[]) as wanted (account_id) ${joinAccounts(sql, 'wanted', accountIds)}
    join withholding_rates w on w.cuit = a.cuit
    order by w.regime, w.jurisdiction, w.valid_from`;
  const byAccount = new Map<string, WithholdingRate[]>(accountIds.map((id) => [id, []]));
  for (const row of rows) {
    byAccount.get(row.account_id)?.push({
      regime: row.regime,
      jurisdiction: row.jurisdiction,
      ratePpm: row.rate_ppm,
      validFrom: row.valid_from,
      validTo: row.valid_to,
    });
  }
  return byAccount;
}
