import type { Centavos } from '../../../kernel/money.ts';
import { sumOf, zero } from '../../../kernel/money.ts';
import type { Queryable } from '../../../platform/postgres/connect.ts';
import type { ChannelCode } from '../../channels/index.ts';
import { type DailyRow, readTotals, wrongTotals } from './store.ts';

/**
 * Totals of results of one type. `gross` is the amount paid or returned, never negative. In
 * reversals, fees, VAT and withholdings are negative: the amounts that were returned.
 */
export interface TotalFigures {
  count: number;
  gross: Centavos;
  netFee: Centavos;
  feeIva: Centavos;
  withheld: Centavos;
}

/** An account's collections and reversals, as its reports show them. */
export interface CollectedTotals {
  collected: TotalFigures;
  refunds: TotalFigures;
  chargebacks: TotalFigures;
}

/** Totals of one channel on one day, the day on which the results were reported to the service. */
export interface DailyTotal extends CollectedTotals {
  day: Temporal.PlainDate;
  channel: ChannelCode;
}

const nothing: TotalFigures = { count: 0, gross: zero, netFee: zero, feeIva: zero, withheld: zero };

const figuresOf = (rows: readonly DailyRow[], type: DailyRow['type']): TotalFigures => {
  const row = rows.find((one) => one.type === type);
  if (!row) return nothing;
  const { results: count, amount: gross, net_fee: netFee, fee_iva: feeIva, withheld } = row;
  return { count, gross, netFee, feeIva, withheld };
};

/**
 * Returns an account's non-empty totals by day and channel, of the days from `from` to `to`,
 * inclusive. They are exact, and cheap even for a year: journals that are not folded yet are added
 * to folded sums.
 */
export async function readDailyTotals(
  sql: Queryable,
  accountId: string,
  days: { from: Temporal.PlainDate; to: Temporal.PlainDate },
): Promise<DailyTotal[]> {
  const rows = await readTotals(sql, accountId, days);
  const parts = Map.groupBy(rows, ({ day, channel }) => `${day} ${channel}`);
  return [...parts.values()].flatMap((part) => {
    const [first] = part;
    if (!first) return [];
    return {
      day: first.day,
      channel: first.channel,
      collected: figuresOf(part, 'collected'),
      refunds: figuresOf(part, 'refund'),
      chargebacks: figuresOf(part, 'chargeback'),
    };
  });
}

const added = (parts: readonly TotalFigures[]): TotalFigures => ({
  count: parts.reduce((sum, { count }) => sum + count, 0),
  gross: sumOf(parts.map(({ gross }) => gross)),
  netFee: sumOf(parts.map(({ netFee }) => netFee)),
  feeIva: sumOf(parts.map(({ feeIva }) => feeIva)),
  withheld: sumOf(parts.map(({ withheld }) => withheld)),
});

export const sumOfTotals = (totals: readonly CollectedTotals[]): CollectedTotals => ({
  collected: added(totals.map(({ collected }) => collected)),
  refunds: added(totals.map(({ refunds }) => refunds)),
  chargebacks: added(totals.map(({ chargebacks }) => chargebacks)),
});

/** Checks each day's totals against its results. */
export async function checkDailyTotals(sql: Queryable, accountId: string): Promise<string[]> {
  const rows = await wrongTotals(sql, accountId);
  return rows.map(
    ({ day, channel, type }) => `the totals of ${day}, ${channel}, ${type} differ from its results`,
  );
}
