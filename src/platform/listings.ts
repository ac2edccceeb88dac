import { formatDay, isoDateTime } from '../kernel/dates.ts';
import { type Centavos, decimalText } from '../kernel/money.ts';
import type { Texts } from '../language/localized-text.ts';
import type { Base } from './base.ts';
import type { Filled, Members } from './http/form.ts';
import type { ListPage } from './list-page.ts';
import type { Cells, CommandLine } from './operations.ts';
import type { Sql } from './postgres/connect.ts';

export type Column<Row> =
  /** Undefined omits the column from the row. */
  | { kind: 'text'; of(row: Row): string | number | null | undefined }
  /** One of a few words, which pages translate. */
  | { kind: 'choice'; of(row: Row): string }
  /** A code or reference, which pages typeset differently. */
  | { kind: 'code'; of(row: Row): string }
  | { kind: 'money'; of(row: Row): Centavos | null }
  | { kind: 'day'; of(row: Row): Temporal.PlainDate | null }
  | { kind: 'moment'; of(row: Row): Temporal.Instant | null };

/** Restricts the list to an account. `optional`: all accounts by default. */
type Scope = 'required' | 'optional';

type NoMembers = Record<never, never>;

/** The part of a list to read, by id. `all` includes closed rows. */
type Part<S extends Scope | undefined, M extends Members> = ListPage & {
  all: boolean;
} & Filled<M> &
  (S extends 'required'
    ? { account: string }
    : S extends 'optional'
      ? { account: string | null }
      : { account?: never });

/** A list for a command and a page, declared once. */
export interface Listing<
  Row,
  Act extends string = string,
  Name extends string = string,
  S extends Scope | undefined = undefined,
  M extends Members = NoMembers,
> {
  /** Such as `suspense.list`. */
  name: string;
  act: Act;
  /** Absent if the rows belong to no account. */
  account?: S;
  /** Filters. */
  takes?: M;
  command?: CommandLine<M>;
  /** True if the list is short enough to read as a whole. */
  whole?: true;
  read(sql: Sql, part: Part<S, M>, base: Base): Promise<Row[]>;
  /** Columns by their names in `--json`. */
  columns: Readonly<Record<Name, Column<Row>>>;
  /** Texts of the noun: `<name>.does`, one per member, and `.all` if its command offers it. */
  texts: Texts;
}

export const listing = <
  Row,
  const Act extends string,
  Name extends string,
  const S extends Scope | undefined = undefined,
  M extends Members = NoMembers,
>(
  declared: Listing<Row, Act, Name, S, M>,
): Listing<Row, Act, Name, S, M> => declared;

export function plainCell<Row>(column: Column<Row>, row: Row): string | number | null | undefined {
  if (column.kind === 'money') {
    const amount = column.of(row);
    return amount === null ? null : decimalText(amount);
  }
  if (column.kind === 'day') {
    const day = column.of(row);
    return day === null ? null : formatDay(day);
  }
  if (column.kind !== 'moment') return column.of(row);
  const at = column.of(row);
  return at === null ? null : isoDateTime(at);
}

export function plainCells<Row>(columns: Readonly<Record<string, Column<Row>>>, row: Row): Cells {
  const cells: Cells = {};
  for (const [title, column] of Object.entries(columns)) {
    const cell = plainCell(column, row);
    if (cell !== undefined) cells[title] = cell;
  }
  return cells;
}
