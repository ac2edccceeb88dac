import { amountOf, type Cell, dayTextOf, flagOf, textOfCell } from './cells.ts';

/** Converts a cell to a form's input. */
export type CellReader = (cell: Cell) => unknown;

/** A field that a column can hold: its usual headings, and how to read its cells. */
export interface SheetField {
  name: string;
  required: boolean;
  /** An alternative field. If it has a column, this field needs none, even if it is required. */
  or?: string;
  /** For people, in both page languages. */
  label: { es: string; en: string };
  /** Usual headings, in lower case without accents. */
  words: readonly string[];
  read: CellReader;
}

/** Splits several values in a cell by commas, semicolons or bars. */
const partsOf = (cell: Cell): string[] =>
  textOfCell(cell)
    .split(/[,;|]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const numberOf = (cell: Cell): number | string => {
  const text = textOfCell(cell).trim();
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
};

const readers = {
  /** Unchanged, so that the form reports numbers that may have lost digits. */
  raw: (cell: Cell) => cell,
  text: textOfCell,
  number: numberOf,
  amount: amountOf,
  day: dayTextOf,
  flag: flagOf,
  list: partsOf,
  numbers: (cell: Cell) => partsOf(cell).map(numberOf),
} as const satisfies Record<string, CellReader>;

interface FieldTerms {
  reader?: keyof typeof readers;
  required?: boolean;
  or?: string;
}

export const sheetField = (
  name: string,
  es: string,
  en: string,
  words: readonly string[],
  { reader = 'text', required = false, or }: FieldTerms = {},
): SheetField => ({
  name,
  required,
  label: { es, en },
  words,
  read: readers[reader],
  ...(or !== undefined && { or }),
});
