import { type Centavos, negate } from '../../kernel/money.ts';
import { type JournalKind, ledgerAccounts, type Period } from '../../money/ledger/index.ts';
import type { PeriodTotals, ReportName } from '../../reports/index.ts';
import type { AccountVisit } from '../frame/index.ts';
import { sidePath } from '../money/places.ts';
import { periodQuery } from './period.ts';

const { feeIncome, vatPayable, withholdingsPayable } = ledgerAccounts;

export interface TotalFigure {
  key: string;
  amount: Centavos;
  /** Number of its rows. */
  rows?: number;
  /** Address of the figure's journals. */
  href?: string;
}

type Side = readonly [JournalKind, number | 'money'];

/**
 * Returns the figures of a report's totals. Each links to its journals if they are all of one kind
 * and the visitor may see money.
 */
export function totalFigures(
  { at, may }: AccountVisit,
  name: ReportName,
  { total }: PeriodTotals,
  period: Period,
): TotalFigure[] {
  const figure = (key: string, amount: Centavos, side?: Side, rows?: number): TotalFigure => ({
    key,
    amount,
    ...(rows !== undefined && { rows }),
    ...(side && may('money.see') && { href: `${at(sidePath(...side))}?${periodQuery(period)}` }),
  });
  const totals: { [Name in ReportName]: (of: PeriodTotals<Name>['total']) => TotalFigure[] } = {
    collection: ({ count, paid, fee, vat, net }) => [
      figure('paid', paid, ['collection', 'money'], count),
      figure('fee', fee, ['collection', feeIncome]),
      figure('vat', vat, ['collection', vatPayable]),
      figure('net', net),
    ],
    chargeback: ({ count, amount }) => [figure('amount', amount, ['chargeback', 'money'], count)],
    refund: ({ count, amount }) => [figure('amount', amount, ['refund', 'money'], count)],
    settlement: ({ credits, credit, debits, debit, settled }) => [
      figure('credit', credit, undefined, credits),
      figure('debit', debit, undefined, debits),
      figure('settled', settled),
    ],
    retentions: ({ withheld, returned, amount }) => [
      figure('withheld', withheld, ['collection', withholdingsPayable]),
      figure('returned', returned),
      figure('amount', amount),
    ],
  };
  return (totals[name] as (of: PeriodTotals['total']) => TotalFigure[])(total);
}

/** Stacked series of a report's chart: figure names, and the amounts of a part. */
export const chartParts: {
  [Name in ReportName]: {
    keys: readonly string[];
    of: (figures: PeriodTotals<Name>['total']) => { values: Record<string, number>; total: number };
  };
} = {
  collection: {
    keys: ['net', 'fee', 'vat'],
    of: ({ net, fee, vat, paid }) => ({ values: { net, fee, vat }, total: paid }),
  },
  chargeback: {
    keys: ['amount'],
    of: ({ amount }) => ({ values: { amount }, total: amount }),
  },
  refund: { keys: ['amount'], of: ({ amount }) => ({ values: { amount }, total: amount }) },
  settlement: {
    keys: ['credit', 'debit'],
    of: ({ credit, debit, settled }) => ({
      values: { credit, debit: negate(debit) },
      total: settled,
    }),
  },
  retentions: {
    keys: ['withheld', 'returned'],
    of: ({ withheld, returned, amount }) => ({ values: { withheld, returned }, total: amount }),
  },
};
