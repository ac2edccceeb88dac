import { ledgerAccounts } from '../money/ledger/index.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { ReportName } from './names.ts';

const { holderAvailable } = ledgerAccounts;

/** How a column's cells come: moments and days in Argentine time, percent as parts per million. */
export type CellKind = 'moment' | 'day' | 'integer' | 'percent' | 'amount' | 'text';

/** A member of a report's items, and the expression that gives it. */
export interface Column {
  member: string;
  kind: CellKind;
  sql: string;
}

const column = (member: string, kind: CellKind, sql = member): Column => ({ member, kind, sql });

const localTime = (expression: string): string => `${expression} at time zone interval '-03:00'`;

interface Source {
  columns: Column[];
  from: string;
  /** Columns that say whose row it is, of which day, and where it stands in the report. */
  key: { account: string; day: string; id: string; no: string };
  where: string;
}

const payment = [
  column('informed_date', 'moment', localTime('informed_at')),
  column('request_id', 'integer'),
  column('external_reference', 'text', 'reference'),
  column('payer_name', 'text', 'payer'),
  column('description', 'text'),
];
const channel = column('channel', 'text', 'channel_label');

const ofResults = (type: string, columns: Column[]): Source => ({
  columns,
  from: 'results',
  key: { account: 'account_id', day: 'informed_on', id: 'id', no: '0' },
  where: `type = '${type}'`,
});

/**
 * A row's result by its key. The limit keeps the planner from joining with all of an account's
 * results instead, which would take longer with every year.
 */
const resultOf = (id: string, account: string): string => `lateral (
  select informed_at, reference from results where account_id = ${account} and id = ${id} limit 1
) as r`;

const sources: Record<ReportName, Source> = {
  collection: ofResults('collected', [
    ...payment,
    column('payment_date', 'moment', localTime('paid_at')),
    channel,
    column('amount_paid', 'amount', 'amount'),
    column('net_fee', 'amount'),
    column('iva_fee', 'amount', 'fee_iva'),
    column('net_amount', 'amount', 'amount - net_fee - fee_iva'),
    // As it was promised: a report of a day says what that day's did.
    column('available_at', 'day', 'coalesce(promised_on, available_on)'),
  ]),
  chargeback: ofResults('chargeback', [
    ...payment,
    channel,
    column('reverted_amount', 'amount', 'amount'),
  ]),
  refund: ofResults('refund', [...payment, channel, column('refunded_amount', 'amount', 'amount')]),
  settlement: {
    columns: [
      column('request_id', 'integer', 'j.request_id'),
      column('external_reference', 'text', 'r.reference'),
      column('credit', 'amount', 'greatest(holder.credited, 0)'),
      column('debit', 'amount', 'greatest(-holder.credited, 0)'),
    ],
    from: `journals j
      left join ${resultOf('j.result_id', 'j.account_id')} on true,
      lateral (
        select -sum(line.amount) as credited
        from unnest(j.accounts, j.amounts) as line (account, amount) where line.account = ${holderAvailable}
      ) as holder`,
    key: { account: 'j.account_id', day: 'j.on_date', id: 'j.id', no: '0' },
    // The holder's available balance; as a number, so that the partial index applies.
    where: `${holderAvailable} = any (j.accounts)`,
  },
  retentions: {
    columns: [
      column('created_at', 'moment', localTime('r.informed_at')),
      column('request_id', 'integer', 'w.request_id'),
      column('external_reference', 'text', 'r.reference'),
      column('regime', 'text', 'w.regime'),
      column('jurisdiction', 'text', 'w.jurisdiction'),
      column('base', 'amount', 'w.base'),
      column('rate', 'percent', 'w.rate_ppm'),
      column('amount', 'amount', 'w.amount'),
    ],
    from: `withholdings w, ${resultOf('w.result_id', 'w.account_id')}`,
    key: { account: 'w.account_id', day: 'w.informed_on', id: 'w.result_id', no: 'w.no' },
    where: 'true',
  },
};

/** Where a report's rows come from. */
export const sourceOf = (name: ReportName): Source => sources[name];

/** The members of a report's items, in order. */
export const columnsOf = (name: ReportName): readonly Column[] => sources[name].columns;

export interface ReportScope {
  accountId: string;
  day: Temporal.PlainDate;
}

/** The place of a row in its report: an id, and a number below it. */
export interface Place {
  id: number;
  no: number;
}

export const beforeAll: Place = { id: 0, no: 0 };

/** A row's cells, as the columns stand; null: absent. */
export type Cells = readonly (string | null)[];

/** Some rows of a report, and the place of the last one. */
export interface Piece {
  count: number;
  last: Place;
  /** Each row once. They are cut when they are taken, so that none lives longer than that. */
  rows(): Generator<Cells>;
}

/** Texts hold no control characters but line breaks and tabs, so these two are in no cell. */
const between = '\u001f';
const absent = '\u001e';

const joined = (name: string): string =>
  `string_agg(coalesce(${name}::text, e'${absent}'), e'${between}') as ${name}`;

export const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/**
 * The values stand in the statement: with parameters the driver would first ask for their types,
 * and the database would begin only when the rows before are written.
 */
function statementOf(name: ReportName, scope: ReportScope, after: Place, most: number): string {
  const { columns, from, key, where } = sources[name];
  return `
    select count(*)::int as count, max(array[id, no::bigint]) as last,
      ${columns.map(({ member }) => joined(member)).join(', ')}
    from (
      select ${columns.map(({ member, sql }) => `${sql} as ${member}`).join(', ')},
        ${key.id} as id, ${key.no} as no
      from ${from}
      where ${key.account} = ${literal(scope.accountId)}
        and ${key.day} = ${literal(scope.day.toString())} and ${where}
        and (${key.id}, ${key.no}) > (${after.id}, ${after.no})
      order by id, no limit ${most}
    ) as piece`;
}

/** Cuts the rows off the texts of their columns, one after the other. */
function* rowsOf(texts: readonly string[], count: number): Generator<Cells> {
  const starts = texts.map(() => 0);
  const cut = (text: string, column: number): string | null => {
    const start = starts[column] ?? 0;
    const found = text.indexOf(between, start);
    const end = found === -1 ? text.length : found;
    starts[column] = end + 1;
    const cell = text.slice(start, end);
    return cell === absent ? null : cell;
  };
  for (let row = 0; row < count; row += 1) yield texts.map(cut);
  if (starts.some((start, column) => start !== (texts[column] ?? '').length + 1)) {
    throw new Error('a column of a report has more cells than the report has rows');
  }
}

interface PieceRow {
  count: number;
  last: [number, number] | null;
  [member: string]: unknown;
}

/**
 * The next rows of a report, at most `most`. They come as one row, with a text for each column:
 * the driver takes longer over thousands of rows than the database and everything that is done
 * with them together.
 */
export async function readPiece(
  sql: Queryable,
  name: ReportName,
  scope: ReportScope,
  { after, most }: { after: Place; most: number },
): Promise<Piece> {
  const [row] = await sql.unsafe<PieceRow[]>(statementOf(name, scope, after, most));
  if (!row?.last) return { count: 0, last: after, rows: () => rowsOf([], 0) };
  const { count, last } = row;
  const texts = columnsOf(name).map(({ member }) => String(row[member]));
  return { count, last: { id: last[0], no: last[1] }, rows: () => rowsOf(texts, count) };
}
