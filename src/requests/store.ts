import { inOrderOf } from '../kernel/lists.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { lookUp } from '../platform/postgres/distributed/look-ups.ts';
import { linkedKinds } from './kinds.ts';
import type { RequestKey, RequestRow } from './row.ts';

type Fragment = ReturnType<Queryable>;

export const requestColumns = (sql: Queryable): Fragment => sql`
  r.account_id, r.id, r.kind, r.state, r.version, r.created_at, r.reference, r.payer,
  r.description, r.due1, r.total1, r.due2, r.total2, r.last_due, r.code, r.mandate_id,
  r.state_comment, r.details`;

/** Looks up the request `r` that each row names by a column. */
export const lookUpRequests = (
  sql: Queryable,
  of: string,
  by: 'id' | 'code',
  column: string,
  accountIds: readonly string[],
): Fragment =>
  lookUp(sql, of, 'r', { table: 'requests', by: { [by]: column }, rows: 'one', accountIds });

/** Reads requests by account and id in one round trip. Unknown ones are null. */
export async function readRequests(
  sql: Queryable,
  keys: RequestKey[],
): Promise<(RequestRow | null)[]> {
  const accountIds = keys.map((key) => key.accountId);
  const rows = await sql<(RequestRow & { no: number })[]>`
    select wanted.no::int as no, ${requestColumns(sql)}
    from unnest(${accountIds}::text[], ${keys.map((key) => key.id)}::bigint[])
      with ordinality as wanted (account_id, id, no)
    ${lookUpRequests(sql, 'wanted', 'id', 'id', accountIds)}`;
  return inOrderOf(keys, rows);
}

/** Reads a request and locks it until the transaction ends. Returns null if there is none. */
export async function lockRequest(sql: Queryable, key: RequestKey): Promise<RequestRow | null> {
  const [row] = await sql<RequestRow[]>`
    select ${requestColumns(sql)} from requests r
    where r.account_id = ${key.accountId} and r.id = ${key.id} for update`;
  return row ?? null;
}

/**
 * Finds requests of any account by id, because networks' files contain only the id. Ids are unique
 * across accounts. Omits unknown ones.
 */
export async function findRequests(sql: Queryable, ids: number[]): Promise<RequestRow[]> {
  return await sql<RequestRow[]>`
    select ${requestColumns(sql)} from requests r where r.id = any(${ids}::bigint[])`;
}

/** Returns the last due day among requests with public pages created before a time, or null. */
export async function lastLinkedDue(
  sql: Queryable,
  madeBefore: Temporal.Instant,
): Promise<Temporal.PlainDate | null> {
  const [row] = await sql<{ due: Temporal.PlainDate | null }[]>`
    select max(last_due) as due from requests
    where kind = any(${linkedKinds}::text[]) and created_at <= ${madeBefore}::timestamptz`;
  return row?.due ?? null;
}

/** Finds a QR by the id that its creator chose. Returns null if the account has none. */
export async function findByCode(
  sql: Queryable,
  { accountId, code }: { accountId: string; code: string },
): Promise<RequestRow | null> {
  const [row = null] = await sql<RequestRow[]>`
    select ${requestColumns(sql)} from requests r
    where r.account_id = ${accountId} and r.code = ${code} and r.kind = 'qr'`;
  return row;
}
