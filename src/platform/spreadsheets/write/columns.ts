import { maskCardNumbers } from '../../../kernel/card-text.ts';
import { isoDateTime } from '../../../kernel/dates.ts';
import type { Centavos } from '../../../kernel/money.ts';

interface Values {
  text: string;
  integer: number;
  money: Centavos;
  /** Parts per million. */
  percent: number;
  /** A day, or `yyyy-mm-dd`. */
  day: Temporal.PlainDate | string;
  /** An instant, or Argentine time as `yyyy-mm-dd hh:mm:ss`, which is faster for many rows. */
  moment: Temporal.Instant | string;
}

export type SheetKind = keyof Values;

/** A column of a file: heading and values. Null is an empty cell. */
export type SheetColumn<Row> = {
  [Kind in SheetKind]: {
    readonly title: string;
    readonly kind: Kind;
    readonly of: (row: Row) => Values[Kind] | null;
  };
}[SheetKind];

/** Functions that write the cells of a file, by kind. */
export type Writers = { [Kind in SheetKind]: (value: Values[Kind]) => string };

/** Formats a cell for the file. Returns null if it is empty. Masks card numbers in texts. */
export function cellOf<Row>(column: SheetColumn<Row>, row: Row, write: Writers): string | null {
  const { kind, of } = column as { kind: SheetKind; of(row: Row): unknown };
  const value = of(row);
  if (value === null) return null;
  if (kind === 'text') return write.text(maskCardNumbers(value as string));
  return (write[kind] as (value: unknown) => string)(value);
}

/** Formats Argentine time as `yyyy-mm-dd hh:mm:ss`, truncating fractions. */
export const localMoment = (moment: Temporal.Instant | string): string =>
  (typeof moment === 'string' ? moment : isoDateTime(moment)).slice(0, 19).replace('T', ' ');
