import { formatDay, isoDateTime } from '../kernel/dates.ts';
import { type Centavos, decimalText } from '../kernel/money.ts';
import type { Texts } from '../language/said.ts';
import type { Base } from './base.ts';
import type { Filled, Members } from './http/form.ts';
import type { ListPage } from './list-page.ts';
import type { Cells, CommandLine } from './operations.ts';
import type { Sql } from './postgres/connect.ts';

/** One column of a listing. */
export type Column<Row> =
  /** Undefined: this list is without the column. */
  | { kind: 'text'; of(row: Row): string | number | null | undefined }
  /** One of a few words: pages say it in the reader's language. */
  | { kind: 'choice'; of(row: Row): string }
  /** Codes and references: pages set them apart. */
  | { kind: 'code'; of(row: Row): string }
  | { kind: 'money'; of(row: Row): Centavos | null }
  | { kind: 'day'; of(row: Row): Temporal.PlainDate | null }
  | { kind: 'moment'; of(row: Row): Temporal.Instant | null };

/** The account whose rows are read; `optional`: those of all accounts where none is named. */
type Scope = 'required' | 'optional';

type NoMembers = Record<never, never>;

/** The part of a list that is read, in the order of ids. `all`: also what is over. */
type Part<S extends Scope | undefined, M extends Members> = ListPage & {
  all: boolean;
} & Filled<M> &
  (S extends 'required'
    ? { account: string }
    : S extends 'optional'
      ? { account: string | null }
      : { account?: never });

/** A list that a person reads by a command or on a page, declared once for both. */
export interface Listing<
  Row,
  Act extends string = string,
  Name extends string = string,
  S extends Scope | undefined = undefined,
  M extends Members = NoMembers,
> {
  /** As `suspense.list`. */
  name: string;
  act: Act;
  /** Left out: its rows are of no account. */
  account?: S;
  /** Its filters. */
  takes?: M;
  command?: CommandLine<M>;
  /** It is short, and read as a whole. */
  whole?: true;
  read(sql: Sql, part: Part<S, M>, base: Base): Promise<Row[]>;
  /** Under the names that `--json` gives them. */
  columns: Readonly<Record<Name, Column<Row>>>;
  /** Of its noun: `<name>.does`, one for each member, and `.all` where its command can ask for it. */
  texts: Texts;
}

/** Declares a listing: its rows are those that it reads. */
export const listing = <
  Row,
  const Act extends string,
  Name extends string,
  const S extends Scope | undefined = undefined,
  M extends Members = NoMembers,
>(
  declared: Listing<Row, Act, Name, S, M>,
): Listing<Row, Act, Name, S, M> => declared;

/** A cell as commands print it. */
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

/** A row in the columns of its listing. */
export function plainCells<Row>(columns: Readonly<Record<string, Column<Row>>>, row: Row): Cells {
  const cells: Cells = {};
  for (const [title, column] of Object.entries(columns)) {
    const cell = plainCell(column, row);
    if (cell !== undefined) cells[title] = cell;
  }
  return cells;
}
