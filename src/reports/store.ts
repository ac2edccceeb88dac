import { finished } from 'node:stream/promises';
import type { Transaction } from '../platform/postgres/connect.ts';
import type { ReportName } from './schema.ts';

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
    column('available_at', 'day', 'available_on'),
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
        from unnest(j.accounts, j.amounts) as line (account, amount) where line.account = 2
      ) as holder`,
    key: { account: 'j.account_id', day: 'j.on_date', id: 'j.id', no: '0' },
    // The holder's available balance; as a number, so that the partial index applies.
    where: '2 = any (j.accounts)',
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

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** COPY takes no parameters, so the values stand in the statement. */
function statementOf(name: ReportName, scope: ReportScope, after: Place, most: number): string {
  const { columns, from, key, where } = sources[name];
  const place =
    key.no === '0'
      ? `${key.id} > ${after.id}`
      : `(${key.id}, ${key.no}) > (${after.id}, ${after.no})`;
  return `copy (
    select ${columns.map(({ sql }) => sql).join(', ')}, ${key.id}, ${key.no} from ${from}
    where ${key.account} = ${literal(scope.accountId)} and ${key.day} = ${literal(scope.day.toString())}
      and ${where} and ${place}
    order by ${key.id}${key.no === '0' ? '' : `, ${key.no}`} limit ${most}
  ) to stdout`;
}

async function copied(sql: Transaction, statement: string): Promise<string> {
  const lines: Buffer[] = [];
  const stream = await sql.unsafe(statement).readable();
  // An event for each line; a loop over the stream would be a promise for each.
  stream.on('data', (line: Buffer) => lines.push(line));
  await finished(stream);
  return Buffer.concat(lines).toString();
}

/** A row's cells in COPY's text format: its columns, then its place. */
export type Cells = readonly string[];

/** The cells of a row as it was read. */
export const cellsOf = (line: string): Cells => line.split('\t');

/** Some rows of a report, and the place of the last one. They are split when they are written. */
export interface Piece {
  lines: string[];
  last: Place;
}

/**
 * The next rows of a report, at most `most`. By COPY, because the driver takes longer over as many
 * rows of a query than the database and everything that is done with them together. Only in a
 * transaction: on the pool the driver would let other statements run into the copying.
 */
export async function readPiece(
  sql: Transaction,
  name: ReportName,
  scope: ReportScope,
  { after, most }: { after: Place; most: number },
): Promise<Piece> {
  const lines = (await copied(sql, statementOf(name, scope, after, most))).split('\n');
  // Each line ends with a line break, so there is nothing after the last one.
  lines.pop();
  const end = lines.at(-1);
  if (end === undefined) return { lines, last: after };
  const [id, no] = cellsOf(end).slice(-2);
  return { lines, last: { id: Number(id), no: Number(no) } };
}
