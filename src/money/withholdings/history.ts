import { cuitOf } from '../../accounts/index.ts';
import { midnightOf } from '../../kernel/dates.ts';
import { type KnownSpan, type Ruling, rulingsOf } from '../../kernel/hindsight.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { covers, ratesOn, type WithholdingRate } from './withholdings.ts';

type RateVersion = WithholdingRate & KnownSpan;

export interface RateHistory {
  versions: RateVersion[];
}

interface RateRow extends Pick<RateVersion, 'regime' | 'jurisdiction' | 'since' | 'until'> {
  rate_ppm: number;
  valid_from: Temporal.PlainDate;
  valid_to: Temporal.PlainDate | null;
}

/** Returns all rates ever known for an account's holder, with their periods. */
export async function readRateHistory(sql: Queryable, accountId: string): Promise<RateHistory> {
  const rows = await sql<RateRow[]>`
    select regime, jurisdiction, rate_ppm, valid_from, valid_to,
      nullif(known_since, '-infinity') as since, until
    from (
      select cuit, regime, jurisdiction, rate_ppm, valid_from, valid_to, known_since,
        null::timestamptz as until
      from withholding_rates
      union all
      select cuit, regime, jurisdiction, rate_ppm, valid_from, valid_to, known_since, known_until
      from former_withholding_rates
    ) as rates
    where cuit = (${cuitOf(sql, accountId)})`;
  const versions = rows.map(({ rate_ppm, valid_from, valid_to, ...row }) => ({
    ...row,
    ratePpm: rate_ppm,
    validFrom: valid_from,
    validTo: valid_to,
  }));
  return { versions };
}

/** Returns the rates for payments of a day, by recording time. */
export function rateRulings(
  { versions }: RateHistory,
  day: Temporal.PlainDate,
): Ruling<WithholdingRate[]>[] {
  const covering = versions.filter((rate) => covers(rate, day));
  const from = midnightOf(day.subtract({ days: 1 }));
  return rulingsOf(covering, from, (known) => ratesOn(known, day));
}
