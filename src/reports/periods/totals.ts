import { compareDays } from '../../kernel/dates.ts';
import { type Centavos, minus, plus, sumOf } from '../../kernel/money.ts';
import {
  type CollectedTotals,
  type DailyTotal,
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
import { type ReportName, reportNames } from '../names.ts';

/** Totals of each report. Counts are numbers of rows. */
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
  retentions: { withheld: Centavos; returned: Centavos; amount: Centavos };
}

/** Part of a period: a day, or a month in long periods. */
export interface ReportPart<Name extends ReportName> extends Period {
  figures: Figures[Name];
}

export interface PeriodTotals<Name extends ReportName = ReportName> {
  total: Figures[Name];
  parts: readonly ReportPart<Name>[];
  /** Days with rows. */
  days: readonly Temporal.PlainDate[];
}

/** Longer periods are grouped by month. */
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
  compareDays(day, from) >= 0 && compareDays(day, to) <= 0;

const byMonths = ({ from, to }: Period): boolean => from.until(to).days >= mostDays;

/** Splits a period into days or months. */
function partsOf({ from, to }: Period): Period[] {
  const byMonth = byMonths({ from, to });
  const parts: Period[] = [];
  for (let day = from; isIn({ from, to }, day); ) {
    const end = byMonth ? day.with({ day: day.daysInMonth }) : day;
    const last = compareDays(end, to) < 0 ? end : to;
    parts.push({ from: day, to: last });
    day = last.add({ days: 1 });
  }
  return parts;
}

/**
 * Totals rows by day. Returns figures of the whole period and its parts, and the days with rows.
 */
function totalsByDay<Row extends { day: Temporal.PlainDate }, Of>(
  period: Period,
  rows: readonly Row[],
  hasRows: (row: Row) => boolean,
  figuresOf: (rows: readonly Row[]) => Of,
) {
  const days = new Map(rows.filter(hasRows).map(({ day }) => [day.toString(), day]));
  // Groups by the text of the day or month, because comparing each row with each part takes longer
  // than reading.
  const length = byMonths(period) ? 'yyyy-mm'.length : 'yyyy-mm-dd'.length;
  const partOf = (day: Temporal.PlainDate): string => day.toString().slice(0, length);
  const rowsOf = Map.groupBy(rows, ({ day }) => partOf(day));
  return {
    total: figuresOf(rows),
    parts: partsOf(period).map((part) => ({
      ...part,
      figures: figuresOf(rowsOf.get(partOf(part.from)) ?? []),
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
  // The totals do not count retentions, so a listed day may have none.
  retentions: () => true,
};

type Scope = Period & { accountId: string };

async function settlementOf(sql: Queryable, { accountId, ...period }: Scope) {
  const accounts = [ledgerAccounts.holderAvailable];
  const rows = await readLedgerDays(sql, accountId, period, { accounts });
  return totalsByDay(period, rows, () => true, settled);
}

/** Computes one report's totals from the daily totals that all reports of results share. */
const resultTotals = (
  name: Exclude<ReportName, 'settlement'>,
  { from, to }: Period,
  rows: readonly DailyTotal[],
) =>
  totalsByDay({ from, to }, rows, hasRows[name], (some) =>
    figuresOfResults[name](sumOfTotals(some)),
  );

/**
 * Returns a report's totals over a period. They are current, and cheap even for a year: folded sums
 * plus the journals that are not folded yet.
 */
export async function readPeriodTotals<Name extends ReportName>(
  sql: Queryable,
  name: Name,
  { accountId, from, to }: Scope,
): Promise<PeriodTotals<Name>> {
  const report: ReportName = name;
  const totals =
    report === 'settlement'
      ? await settlementOf(sql, { accountId, from, to })
      : resultTotals(report, { from, to }, await readDailyTotals(sql, accountId, { from, to }));
  return totals as unknown as PeriodTotals<Name>;
}

/** Returns the totals of all reports. A single read serves every report of results. */
export async function readAllPeriodTotals(
  sql: Queryable,
  { accountId, from, to }: Scope,
): Promise<Map<ReportName, PeriodTotals>> {
  const period = { from, to };
  const [settlement, daily] = await Promise.all([
    settlementOf(sql, { accountId, ...period }),
    readDailyTotals(sql, accountId, period),
  ]);
  return new Map(
    reportNames.map((name) => [
      name,
      (name === 'settlement' ? settlement : resultTotals(name, period, daily)) as PeriodTotals,
    ]),
  );
}
