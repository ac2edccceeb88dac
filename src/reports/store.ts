import { ledgerAccounts } from '../money/ledger/index.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { endOfCell, integerIn } from '../platform/postgres/copy-cells.ts';
import { localTime } from '../platform/postgres/local-time.ts';
import type { ReportName } from './names.ts';

const { holderAvailable } = ledgerAccounts;

/** Format of a column. Times and days are Argentine, percentages are parts per million. */
export type CellKind = 'moment' | 'day' | 'integer' | 'percent' | 'amount' | 'text';

/** A member of report items and its SQL expression. */
export interface Column {
  member: string;
  kind: CellKind;
  sql: string;
}

const column = (member: string, kind: CellKind, sql = member): Column => ({ member, kind, sql });

interface Source {
  columns: Column[];
  from: string;
  /** Columns with the row's account, day, and position in the report. */
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
const reversed = column('reversed_result_id', 'integer', 'reverses_id');

const ofResults = (type: string, columns: Column[]): Source => ({
  columns,
  from: 'results',
  key: { account: 'account_id', day: 'informed_on', id: 'id', no: '0' },
  where: `type = '${type}'`,
});

/**
 * Looks up a row's result by key. The limit stops the planner from joining all of an account's
 * results, which would be slower each year.
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
    // The promised day, because a day's report states what was known that day.
    column('available_at', 'day', 'coalesce(promised_on, available_on)'),
  ]),
  chargeback: ofResults('chargeback', [
    ...payment,
    channel,
    column('reverted_amount', 'amount', 'amount'),
    reversed,
  ]),
  refund: ofResults('refund', [
    ...payment,
    channel,
    column('refunded_amount', 'amount', 'amount'),
    reversed,
  ]),
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
    // A literal number, so that the partial index applies.
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

export const sourceOf = (name: ReportName): Source => sources[name];

export const columnsOf = (name: ReportName): readonly Column[] => sources[name].columns;

export interface ReportScope {
  accountId: string;
  day: Temporal.PlainDate;
}

/** Position of a row in its report: an id, and a number among the rows with that id. */
export interface Place {
  id: number;
  no: number;
}

export const beforeAll: Place = { id: 0, no: 0 };

/** A row's cells, in column order. Null if absent. */
export type Cells = readonly (string | null)[];

/** Receives a row in COPY's text format. Its cells begin at `start`. */
export type TakeCells = (row: Buffer, start: number) => void;

export interface Piece {
  count: number;
  last: Place;
}

export const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

function statementOf(name: ReportName, scope: ReportScope, after: Place, most: number): string {
  const { columns, from, key, where } = sources[name];
  return `copy (
    select ${key.id} as id, ${key.no} as no, ${columns.map(({ sql }) => sql).join(', ')}
    from ${from}
    where ${key.account} = ${literal(scope.accountId)}
      and ${key.day} = ${literal(scope.day.toString())} and ${where}
      and (${key.id}, ${key.no}) > (${after.id}, ${after.no})
    order by id, no limit ${most}) to stdout`;
}

/**
 * Reads up to `most` further rows of a report and passes each to `take`. Uses COPY and bytes,
 * because for thousands of rows the driver takes longer than the database and all processing
 * together.
 */
export async function readPiece(
  sql: Transaction,
  name: ReportName,
  scope: ReportScope,
  { after, most }: { after: Place; most: number },
  take: TakeCells,
): Promise<Piece> {
  let count = 0;
  let { id, no } = after;
  await sql.unsafe(statementOf(name, scope, after, most)).takeRows((row) => {
    const endOfId = endOfCell(row, 0);
    const endOfNo = endOfCell(row, endOfId + 1);
    id = integerIn(row, 0, endOfId);
    no = integerIn(row, endOfId + 1, endOfNo);
    count += 1;
    take(row, endOfNo + 1);
  });
  return { count, last: { id, no } };
}
