import { csvCell, csvLine } from '../kernel/csv.ts';
import { type Centavos, centavos, toJsonNumber } from '../kernel/money.ts';
import type { ReportName } from './names.ts';
import type { CellKind, Cells, Column } from './store.ts';

const ppmPerPercent = 10_000;

/** Converts `yyyy-mm-dd hh:mm:ss` to ISO 8601 and drops fractions. */
const moment = (cell: string): string => `${cell.slice(0, 10)}T${cell.slice(11, 19)}-03:00`;
const midnight = (cell: string): string => `${cell}T00:00:00-03:00`;
const percent = (cell: string): string => String(Number(cell) / ppmPerPercent);

const pesos = (cell: string): string => String(toJsonNumber(centavos(Number(cell))));

const asIs = (cell: string): string => cell;

const csvWriters: Record<CellKind, (cell: string) => string> = {
  moment,
  day: midnight,
  integer: asIs,
  percent,
  amount: pesos,
  text: csvCell,
};

/** Returns a function that formats an item as a CSV line. Absent members are empty. */
export function csvItem(columns: readonly Column[]): (cells: Cells) => string {
  const writers = columns.map(({ kind }) => csvWriters[kind]);
  return (cells) => {
    const values = writers.map((write, index) => {
      const cell = cells[index] ?? null;
      return cell === null ? '' : write(cell);
    });
    return `${values.join(',')}\r\n`;
  };
}

export const csvHeader = (columns: readonly Column[]): string =>
  csvLine(columns.map(({ member }) => member));

/** Sums of amounts, by member. */
export interface Tally {
  sum(member: string): Centavos;
  /** Counts items with a nonzero amount. */
  count(member: string): number;
}

type Totals = (tally: Tally) => Record<string, number>;

const inPesos = (amount: number): number => toJsonNumber(centavos(amount));

export const totalsOf: Record<ReportName, Totals> = {
  collection: ({ sum }) => ({
    total_collected: inPesos(sum('amount_paid')),
    total_gross_fee: inPesos(sum('net_fee') + sum('iva_fee')),
    total_net_amount: inPesos(sum('net_amount')),
  }),
  chargeback: ({ sum }) => ({ total_chargeback: inPesos(sum('reverted_amount')) }),
  refund: ({ sum }) => ({ total_refunded: inPesos(sum('refunded_amount')) }),
  settlement: ({ sum, count }) => ({
    total_credits: count('credit'),
    credit_amount: inPesos(sum('credit')),
    total_debits: count('debit'),
    debit_amount: inPesos(sum('debit')),
    settlement_amount: inPesos(sum('credit') - sum('debit')),
  }),
  retentions: ({ sum }) => ({ total_amount: inPesos(sum('amount')) }),
};
