import { type Centavos, minus, plus, sumOf } from '../../kernel/money.ts';
import {
  type CollectedTotals,
  readDailyTotals,
  sumOfTotals,
  type TotalFigures,
} from '../../money/collections/index.ts';
import {
  type LedgerDay,
  ledgerAccounts,
  type Period,
  readLedgerDays,
} from '../../money/ledger/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { ReportName } from '../names.ts';

/** What the rows of each report come to. Counts are of rows. */
interface Figures {
  collection: { count: number; paid: Centavos; fee: Centavos; vat: Centavos; net: Centavos };
  chargeback: { count: number; amount: Centavos };
  refund: { count: number; amount: Centavos };
  settlement: {
    credits: number;
    credit: Centavos;
    debits: number;
    debit: Centavos;
    settled: Centavos;
  };
  /** What was withheld, what of it came back, and what is left. */
  retentions: { withheld: Centavos; returned: Centavos; amount: Centavos };
}

/** A part of a period: a day, or a month where the period is long. */
export interface ReportPart<Name extends ReportName> extends Period {
  figures: Figures[Name];
}

export interface PeriodTotals<Name extends ReportName = ReportName> {
  total: Figures[Name];
  parts: readonly ReportPart<Name>[];
  /** The days that have rows. */
  days: readonly Temporal.PlainDate[];
}

/** Longer periods are told by months. */
const mostDays = 62;

const netOf = ({ gross, netFee, feeIva }: TotalFigures): Centavos =>
  minus(gross, plus(netFee, feeIva));

const figuresOfResults: {
  [Name in Exclude<ReportName, 'settlement'>]: (totals: CollectedTotals) => Figures[Name];
} = {
  collection: ({ collected }) => ({
    count: collected.count,
    paid: collected.gross,
    fee: collected.netFee,
    vat: collected.feeIva,
    net: netOf(collected),
  }),
  chargeback: ({ chargebacks }) => ({ count: chargebacks.count, amount: chargebacks.gross }),
  refund: ({ refunds }) => ({ count: refunds.count, amount: refunds.gross }),
  retentions({ collected, refunds, chargebacks }) {
    const returned = plus(refunds.withheld, chargebacks.withheld);
    return {
      withheld: collected.withheld,
      returned,
      amount: plus(collected.withheld, returned),
    };
  },
};

const settled = (days: readonly LedgerDay[]): Figures['settlement'] => {
  const credit = sumOf(days.map((day) => day.credit));
  const debit = sumOf(days.map((day) => day.debit));
  return {
    credits: days.reduce((sum, day) => sum + day.credits, 0),
    credit,
    debits: days.reduce((sum, day) => sum + day.debits, 0),
    debit,
    settled: minus(credit, debit),
  };
};

const isIn = ({ from, to }: Period, day: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(day, from) >= 0 && Temporal.PlainDate.compare(day, to) <= 0;

/** The days of a period, or its months. */
function partsOf({ from, to }: Period): Period[] {
  const byMonth = from.until(to).days >= mostDays;
  const parts: Period[] = [];
  for (let day = from; isIn({ from, to }, day); ) {
    const end = byMonth ? day.with({ day: day.daysInMonth }) : day;
    const last = Temporal.PlainDate.compare(end, to) < 0 ? end : to;
    parts.push({ from: day, to: last });
    day = last.add({ days: 1 });
  }
  return parts;
}

/** Rows of totals that have a day, as figures of the whole, of parts, and the days with rows. */
function told<Row extends { day: Temporal.PlainDate }, Of>(
  period: Period,
  rows: readonly Row[],
  hasRows: (row: Row) => boolean,
  figuresOf: (rows: readonly Row[]) => Of,
) {
  const days = new Map(rows.filter(hasRows).map(({ day }) => [day.toString(), day]));
  return {
    total: figuresOf(rows),
    parts: partsOf(period).map((part) => ({
      ...part,
      figures: figuresOf(rows.filter(({ day }) => isIn(part, day))),
    })),
    days: [...days.values()],
  };
}

const hasRows: {
  [Name in Exclude<ReportName, 'settlement'>]: (totals: CollectedTotals) => boolean;
} = {
  collection: ({ collected }) => collected.count > 0,
  chargeback: ({ chargebacks }) => chargebacks.count > 0,
  refund: ({ refunds }) => refunds.count > 0,
  // A day may have none, and is looked at then.
  retentions: () => true,
};

/**
 * What the rows of a report come to on some days, exact at once and cheap for a year: sums that are
 * folded behind the seals, and what waits.
 */
export async function readPeriodTotals<Name extends ReportName>(
  sql: Queryable,
  name: Name,
  { accountId, ...period }: Period & { accountId: string },
): Promise<PeriodTotals<Name>> {
  const { from, to } = period;
  if (name === 'settlement') {
    const accounts = [ledgerAccounts.holderAvailable];
    const rows = await readLedgerDays(sql, accountId, { from, to }, { accounts });
    return told({ from, to }, rows, () => true, settled) as unknown as PeriodTotals<Name>;
  }
  const ofResults = name as Exclude<ReportName, 'settlement'>;
  const rows = await readDailyTotals(sql, accountId, { from, to });
  return told({ from, to }, rows, hasRows[ofResults], (some) =>
    figuresOfResults[ofResults](sumOfTotals(some)),
  ) as unknown as PeriodTotals<Name>;
}
