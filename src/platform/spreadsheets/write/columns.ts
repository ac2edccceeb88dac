import { maskCardNumbers } from '../../../kernel/card-text.ts';
import { isoDateTime } from '../../../kernel/dates.ts';
import type { Centavos } from '../../../kernel/money.ts';

interface Values {
  text: string;
  integer: number;
  money: Centavos;
  /** Parts per million. */
  percent: number;
  /** Or `yyyy-mm-dd`. */
  day: Temporal.PlainDate | string;
  /** Or Argentine time, `yyyy-mm-dd hh:mm:ss`: faster for thousands of rows. */
  moment: Temporal.Instant | string;
}

export type SheetKind = keyof Values;

/** A column of a file: its heading, and each row's value; null is an empty cell. */
export type SheetColumn<Row> = {
  [Kind in SheetKind]: {
    readonly title: string;
    readonly kind: Kind;
    readonly of: (row: Row) => Values[Kind] | null;
  };
}[SheetKind];

/** Writes non-text cells, by kind. */
export type Writers = { [Kind in SheetKind]: (value: Values[Kind]) => string };

/** A cell in the file's format; null if it is empty. Masks card numbers in texts. */
export function cellOf<Row>(column: SheetColumn<Row>, row: Row, write: Writers): string | null {
  const { kind, of } = column as { kind: SheetKind; of(row: Row): unknown };
  const value = of(row);
  if (value === null) return null;
  if (kind === 'text') return write.text(maskCardNumbers(value as string));
  return (write[kind] as (value: unknown) => string)(value);
}

/** `yyyy-mm-dd hh:mm:ss` in Argentine time; fractions are cut. */
export const localMoment = (moment: Temporal.Instant | string): string =>
  (typeof moment === 'string' ? moment : isoDateTime(moment)).slice(0, 19).replace('T', ' ');
