import { type Centavos, maxSumDigits, parseAmount, plus, zero } from '../kernel/money.ts';
import { amountOf, type Cell } from '../platform/spreadsheets/cells.ts';
import type { NumberedRow } from '../platform/spreadsheets/table.ts';
import type { Import } from './import.ts';
import type { ImportKind } from './kinds/kind.ts';

export interface Sums {
  /** Of all rows, including faulty ones, so that it matches the spreadsheet's own total. */
  rows: Centavos;
  /** Rows whose amount is missing or not a number. */
  unread: number;
  /** Of the rows that would be created. */
  sound: Centavos;
}

export const noSums: Sums = { rows: zero, unread: 0, sound: zero };

const amountIn = (cell: Cell | undefined, digits?: number): Centavos | null => {
  if (cell === undefined || cell === '') return null;
  const parsed = parseAmount(amountOf(cell), digits);
  return parsed.ok ? parsed.value : null;
};

type Summed = Pick<ImportKind<unknown>, 'amount'>;

/** Returns the column of a kind's amount, or null. */
const placeOf = ({ amount }: Summed, { matched }: Pick<Import, 'matched'>): number | null =>
  amount === null ? null : (matched[amount] ?? null);

/** Adds a page's rows to the sums. `left` are the rows that would not be created. */
export function withPage(
  kind: Summed,
  one: Pick<Import, 'matched'>,
  sums: Sums,
  { rows, left }: { rows: readonly NumberedRow[]; left: ReadonlySet<number> },
): Sums {
  const place = placeOf(kind, one);
  if (place === null) return sums;
  const sum = { ...sums };
  for (const [row, cells] of rows) {
    const amount = amountIn(cells[place]);
    if (amount === null) {
      sum.unread += 1;
      continue;
    }
    sum.rows = plus(sum.rows, amount);
    if (!left.has(row)) sum.sound = plus(sum.sound, amount);
  }
  return sum;
}

/** The total that a spreadsheet states below its rows, with the number of that row. */
export interface StatedTotal {
  row: number;
  amount: Centavos;
}

/** Returns the total that the spreadsheet states in the column of the amount, or null. */
export function statedTotal(
  kind: Summed,
  one: Pick<Import, 'matched' | 'notes'>,
): StatedTotal | null {
  const place = placeOf(kind, one);
  const stated = one.notes.flatMap((note) =>
    note.what === 'totals' && note.stated ? [note.stated] : [],
  )[0];
  if (place === null || stated === undefined) return null;
  const amount = amountIn(stated[1][place], maxSumDigits);
  return amount === null ? null : { row: stated[0], amount };
}
