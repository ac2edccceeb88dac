import type { Account } from '../../accounts/index.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import {
  joinRequests,
  type RequestRow,
  requestColumns,
  requestsOfKind,
} from '../../requests/index.ts';
import { dynamicPayload, type QrTerms } from '../payload/payload.ts';
import { asDynamic } from '../row.ts';

export interface Printable {
  id: string;
  kind: 'dynamic' | 'static';
  /** Orders the QRs of a kind. */
  number: number;
  payload: string;
  /** The payer, or a static QR's name. */
  title: string;
  description: string;
  payer: string;
  reference: string | null;
  /** Null if the code has no amount. */
  total: Centavos | null;
  due: Temporal.PlainDate | null;
}

/**
 * QRs to print: any by id, payable dynamic ones by number, or all payable ones created since an
 * instant.
 */
export type PrintSelection =
  | { ids: string[] }
  | { numbers: number[] }
  | { createdFrom: Temporal.Instant | null };

/** QRs per read. */
const pageSize = 500;

interface Page {
  accountId: string;
  selection: PrintSelection;
  after: number;
  today: Temporal.PlainDate;
}

function readDynamics(sql: Queryable, { accountId, selection, after, today }: Page) {
  const payable = sql`r.state = 'pending' and r.last_due >= ${today}::date`;
  const among = () => {
    if ('ids' in selection) return sql`r.code = any(${selection.ids}::text[])`;
    if ('numbers' in selection)
      return sql`${payable} and r.id = any(${selection.numbers}::bigint[])`;
    return sql`${payable}
      and (${selection.createdFrom}::timestamptz is null or r.created_at >= ${selection.createdFrom})`;
  };
  return sql<RequestRow[]>`
    select ${requestColumns(sql)} from ${requestsOfKind(sql, 'qr')}
    where r.account_id = ${accountId} and r.id > ${after} and ${among()}
      and not exists (
        select from static_transactions t where t.account_id = r.account_id and t.id = r.id
      )
    order by r.id limit ${pageSize}`;
}

interface StaticColumns {
  id: string;
  number: number;
  name: string;
  payload: string;
  description: string;
  payer: string;
}

function readStatics(sql: Queryable, { accountId, selection, after }: Page) {
  if ('numbers' in selection) return Promise.resolve([]);
  const which =
    'ids' in selection
      ? sql`s.id = any(${selection.ids}::text[])`
      : sql`(${selection.createdFrom}::timestamptz is null or s.created_at >= ${selection.createdFrom})
        and (s.multiple_payment or not exists (
          select from static_transactions t ${joinRequests(sql, 't', 'id')}
          where t.account_id = s.account_id and t.static_id = s.id
            and r.state in ('paid', 'refunded')
        ))`;
  return sql<StaticColumns[]>`
    select s.id, s.number, s.name, s.payload, s.description, s.payer from static_qrs s
    where s.account_id = ${accountId} and s.number > ${after} and ${which}
    order by s.number limit ${pageSize}`;
}

const printableStatic = ({
  id,
  number,
  name,
  payload,
  description,
  payer,
}: StaticColumns): Printable => ({
  id,
  kind: 'static',
  number,
  payload,
  title: name,
  description,
  payer,
  reference: null,
  total: null,
  due: null,
});

/** Yields rows by number, read in pages until one is not full. */
async function* paged<T>(
  read: (after: number) => Promise<T[]>,
  numberOf: (row: T) => number,
  from: number,
): AsyncGenerator<T> {
  let after = from;
  for (;;) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = numberOf(last);
  }
}

export type ListPrintable = (
  account: Account,
  selection: PrintSelection,
  after?: Pick<Printable, 'kind' | 'number'>,
) => AsyncGenerator<Printable>;

/** Lists an account's printable QRs by number, static ones first. `after`: those after this one. */
export function listPrintable({ sql, clocks }: Base, terms: QrTerms): ListPrintable {
  return async function* list(account, selection, after = { kind: 'static', number: 0 }) {
    const page = { accountId: account.id, selection, today: clocks.business.today() };
    if (after.kind === 'static') {
      const statics = paged(
        (last) => readStatics(sql, { ...page, after: last }),
        ({ number }) => number,
        after.number,
      );
      for await (const row of statics) yield printableStatic(row);
    }
    const dynamics = paged(
      (last) => readDynamics(sql, { ...page, after: last }),
      ({ id }) => id,
      after.kind === 'dynamic' ? after.number : 0,
    );
    for await (const row of dynamics) {
      const qr = asDynamic(row);
      const payload = qr && dynamicPayload(terms, account, qr);
      if (!payload) continue;
      yield {
        id: qr.code,
        kind: 'dynamic',
        number: row.id,
        payload,
        title: qr.payer,
        description: qr.description,
        payer: qr.payer,
        reference: qr.reference,
        total: qr.total1,
        due: qr.due1,
      };
    }
  };
}
