import { inOrderOf } from '../kernel/lists.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { RequestKey, RequestRow } from './row.ts';

/** A part of a statement, to be put into a larger one. */
type Fragment = ReturnType<Queryable>;

/** The columns of a row, of the table called `r`. */
export const requestColumns = (sql: Queryable): Fragment => sql`
  r.account_id, r.id, r.kind, r.state, r.version, r.created_at, r.reference, r.payer,
  r.description, r.due1, r.total1, r.due2, r.total2, r.last_due, r.code, r.mandate_id,
  r.state_comment, r.details`;

/** Columns that the rows of one statement mostly have in common, with their types. */
const commonColumns = {
  account_id: 'text',
  kind: 'text',
  state: 'text',
  version: 'int',
  created_at: 'timestamptz',
} as const satisfies Partial<Record<keyof RequestRow, string>>;

/**
 * One of these columns as an array. A value that all rows share is sent once: writing and reading
 * it ten thousand times takes as long as inserting the rows.
 */
function column(sql: Queryable, rows: RequestRow[], name: keyof typeof commonColumns): Fragment {
  const type = sql.unsafe(commonColumns[name]);
  const values = rows.map((row) => row[name]);
  const [first] = values;
  return first !== undefined && values.length > 1 && values.every((value) => value === first)
    ? sql`array_fill(${first}::${type}, array[${values.length}::int])`
    : sql`${values}::${type}[]`;
}

/**
 * Rows of new requests as a relation `(no, account_id, …)`, for a creating statement: it inserts
 * from it those whose idempotency key was free.
 */
export const newRequests = (sql: Queryable, rows: RequestRow[]): Fragment => sql`
  select * from unnest(
    ${column(sql, rows, 'account_id')}, ${rows.map((row) => row.id)}::bigint[],
    ${column(sql, rows, 'kind')}, ${column(sql, rows, 'state')},
    ${column(sql, rows, 'version')}, ${column(sql, rows, 'created_at')},
    ${rows.map((row) => row.reference)}::text[], ${rows.map((row) => row.payer)}::text[],
    ${rows.map((row) => row.description)}::text[], ${rows.map((row) => row.due1)}::date[],
    ${rows.map((row) => row.total1)}::bigint[], ${rows.map((row) => row.due2)}::date[],
    ${rows.map((row) => row.total2)}::bigint[], ${rows.map((row) => row.last_due)}::date[],
    ${rows.map((row) => row.code)}::text[], ${rows.map((row) => row.mandate_id)}::bigint[],
    ${rows.map((row) => JSON.stringify(row.details))}::text[]
  ) with ordinality as new_request (account_id, id, kind, state, version, created_at, reference,
    payer, description, due1, total1, due2, total2, last_due, code, mandate_id, details, no)`;

/** Inserts from a relation of that shape. */
export const insertRequests = (sql: Queryable, from: string): Fragment => sql`
  insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
    description, due1, total1, due2, total2, last_due, code, mandate_id,
    details)
  select account_id, id, kind, state, version, created_at, reference, payer, description, due1,
    total1, due2, total2, last_due, code, mandate_id, details::json
  from ${sql(from)}`;

/** Reads requests by account and id, in one round trip; null where there is none. */
export async function readRequests(
  sql: Queryable,
  keys: RequestKey[],
): Promise<(RequestRow | null)[]> {
  const rows = await sql<(RequestRow & { no: number })[]>`
    select wanted.no::int as no, ${requestColumns(sql)}
    from unnest(
      ${keys.map((key) => key.accountId)}::text[], ${keys.map((key) => key.id)}::bigint[]
    ) with ordinality as wanted (account_id, id, no)
    join requests r on r.account_id = wanted.account_id and r.id = wanted.id`;
  return inOrderOf(keys, rows);
}

/** Reads one request and holds it until the transaction ends. */
export async function lockRequest(sql: Queryable, key: RequestKey): Promise<RequestRow | null> {
  const [row] = await sql<RequestRow[]>`
    select ${requestColumns(sql)} from requests r
    where r.account_id = ${key.accountId} and r.id = ${key.id} for update`;
  return row ?? null;
}

/**
 * Finds requests by id alone, whichever account they belong to: for files of networks, which name
 * the request only. Ids are unique in the whole service; unknown ones are left out.
 */
export async function findRequests(sql: Queryable, ids: number[]): Promise<RequestRow[]> {
  return await sql<RequestRow[]>`
    select ${requestColumns(sql)} from requests r where r.id = any(${ids}::bigint[])`;
}

/** The last due day of what has public pages and was made before a moment; null: there is none. */
export async function lastLinkedDue(
  sql: Queryable,
  madeBefore: Temporal.Instant,
): Promise<Temporal.PlainDate | null> {
  const [row] = await sql<{ due: Temporal.PlainDate | null }[]>`
    select max(last_due) as due from requests
    where kind in ('payment_request', 'qr') and created_at <= ${madeBefore}::timestamptz`;
  return row?.due ?? null;
}
