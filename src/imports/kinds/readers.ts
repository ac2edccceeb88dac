import { amountOf, type Cell, dayTextOf, textOfCell } from '../../platform/spreadsheets/cells.ts';
import type { CellReader, ImportField } from './kind.ts';

/** Several in one cell: parted by commas, semicolons or bars. */
const partsOf = (cell: Cell): string[] =>
  textOfCell(cell)
    .split(/[,;|]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const numberOf = (cell: Cell): number | string => {
  const text = textOfCell(cell).trim();
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
};

/** How cells of the kinds' columns are read. */
const readers = {
  /** As the cell has it: a number in it may have lost digits, which its form says. */
  raw: (cell: Cell) => cell,
  text: textOfCell,
  number: numberOf,
  amount: amountOf,
  day: dayTextOf,
  list: partsOf,
  numbers: (cell: Cell) => partsOf(cell).map(numberOf),
} as const satisfies Record<string, CellReader>;

interface FieldTerms {
  reader?: keyof typeof readers;
  required?: boolean;
}

export const importField = (
  name: string,
  es: string,
  en: string,
  words: readonly string[],
  { reader = 'text', required = false }: FieldTerms = {},
): ImportField => ({ name, required, label: { es, en }, words, read: readers[reader] });
