import { isoDateTime } from '../kernel/dates.ts';
import { type Centavos, decimalText } from '../kernel/money.ts';
import type { ListPage } from './list-page.ts';
import type { Queryable } from './postgres/connect.ts';

/** One column of a listing. */
export type Column<Row> =
  | { kind: 'text'; of(row: Row): string | number | null }
  /** One of a few words: pages say it in the reader's language. */
  | { kind: 'choice'; of(row: Row): string }
  /** Codes and references: pages set them apart. */
  | { kind: 'code'; of(row: Row): string }
  | { kind: 'money'; of(row: Row): Centavos | null }
  | { kind: 'moment'; of(row: Row): Temporal.Instant | null };

/** A list that a person reads by a command or on a page, declared once for both. */
export interface Listing<
  Row extends { id: number },
  Act extends string = string,
  Name extends string = string,
> {
  /** As `suspense.list`. */
  name: string;
  act: Act;
  /** In the order of ids. `all`: also what is over. */
  read(sql: Queryable, page: ListPage & { all: boolean }): Promise<Row[]>;
  /** Under the names that `--json` gives them. */
  columns: Readonly<Record<Name, Column<Row>>>;
}

/** Declares a listing: its rows are those that it reads. */
export const listing = <Row extends { id: number }, const Act extends string, Name extends string>(
  declared: Listing<Row, Act, Name>,
): Listing<Row, Act, Name> => declared;

/** A cell as commands print it. */
export function plainCell<Row>(column: Column<Row>, row: Row): string | number | null {
  if (column.kind === 'money') {
    const amount = column.of(row);
    return amount === null ? null : decimalText(amount);
  }
  if (column.kind !== 'moment') return column.of(row);
  const at = column.of(row);
  return at === null ? null : isoDateTime(at);
}
