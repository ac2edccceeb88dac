import { csvCell, csvLine } from '../kernel/csv.ts';
import { type Centavos, centavos, toJsonNumber } from '../kernel/money.ts';
import type { ReportName } from './names.ts';
import type { CellKind, Cells, Column } from './store.ts';

const ppmPerPercent = 10_000;

/** ISO 8601 from `yyyy-mm-dd hh:mm:ss`, fractions cut. */
const moment = (cell: string): string => `${cell.slice(0, 10)}T${cell.slice(11, 19)}-03:00`;
const midnight = (cell: string): string => `${cell}T00:00:00-03:00`;
const percent = (cell: string): string => String(Number(cell) / ppmPerPercent);

/** As JSON writes the amount. By its digits: numbers that are no integers are slow to print. */
function pesos(cell: string): string {
  if (cell.length < 3 || cell.startsWith('-')) return String(toJsonNumber(centavos(Number(cell))));
  if (!cell.endsWith('0')) return `${cell.slice(0, -2)}.${cell.slice(-2)}`;
  return cell.endsWith('00') ? cell.slice(0, -2) : `${cell.slice(0, -2)}.${cell.slice(-2, -1)}`;
}

const asIs = (cell: string): string => cell;

type Writers = Record<CellKind, (cell: string) => string>;

/** What JSON escapes in a text. */
const special = /["\\]|\p{Cc}|\p{Cs}/u;

const jsonWriters: Writers = {
  moment: (cell) => `"${moment(cell)}"`,
  day: (cell) => `"${midnight(cell)}"`,
  integer: asIs,
  percent,
  amount: pesos,
  text: (cell) => (special.test(cell) ? JSON.stringify(cell) : `"${cell}"`),
};

const csvWriters: Writers = {
  moment,
  day: midnight,
  integer: asIs,
  percent,
  amount: pesos,
  text: csvCell,
};

/** An item as a JSON object; what is absent is left out. */
export function jsonItem(columns: readonly Column[]): (cells: Cells) => string {
  const members = columns.map(({ member, kind }) => ({
    name: `${JSON.stringify(member)}:`,
    write: jsonWriters[kind],
  }));
  return (cells) => {
    let text = '';
    members.forEach(({ name, write }, index) => {
      const cell = cells[index] ?? null;
      if (cell !== null) text += `${text === '' ? '{' : ','}${name}${write(cell)}`;
    });
    return `${text}}`;
  };
}

/** An item as a line of CSV; what is absent is empty. */
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

/** Adds up the amounts of items by member. */
export interface Tally {
  add(cells: Cells): void;
  sum(member: string): Centavos;
  /** Items whose amount is not zero. */
  count(member: string): number;
}

export function createTally(columns: readonly Column[]): Tally {
  const amounts = columns
    .map(({ member, kind }, index) => ({ member, kind, index, sum: 0, count: 0 }))
    .filter(({ kind }) => kind === 'amount');
  const of = (member: string) => {
    const found = amounts.find((one) => one.member === member);
    if (!found) throw new Error(`there is no amount ${member}`);
    return found;
  };
  return {
    add(cells) {
      for (const one of amounts) {
        const amount = Number(cells[one.index]);
        one.sum += amount;
        if (amount !== 0) one.count += 1;
      }
    },
    sum: (member) => centavos(of(member).sum),
    count: (member) => of(member).count,
  };
}

type Totals = (tally: Tally) => Record<string, number>;

const inPesos = (amount: number): number => toJsonNumber(centavos(amount));

/** The totals of each report, from the items that it shows. */
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
