import { inOrderOf } from '../kernel/lists.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { alsoOwnedBy } from '../platform/postgres/distributed/owners.ts';
import { linkedKinds } from './kinds.ts';
import type { RequestKey, RequestRow } from './row.ts';

/** A part of a statement, to be put into a larger one. */
type Fragment = ReturnType<Queryable>;

/** The columns of a row, of the table called `r`. */
export const requestColumns = (sql: Queryable): Fragment => sql`
  r.account_id, r.id, r.kind, r.state, r.version, r.created_at, r.reference, r.payer,
  r.description, r.due1, r.total1, r.due2, r.total2, r.last_due, r.code, r.mandate_id,
  r.state_comment, r.details`;

/**
 * Looks up the request of each row of a relation by itself: joined as a set, PostgreSQL would read
 * all rows of an account for each as long as it has no statistics of the table. A distributed
 * database takes no such look-up, and joins.
 */
export const lookUpRequests = (
  sql: Queryable,
  of: string,
  by: 'id' | 'code',
  column: string,
  accountIds: readonly string[],
): Fragment =>
  sql.layout.isDistributed
    ? sql`
  join requests r on r.account_id = ${sql(of)}.account_id and r.${sql(by)} = ${sql(of)}.${sql(column)}
      ${alsoOwnedBy(sql, 'r', accountIds)}`
    : sql`
  cross join lateral (
    select * from requests
    where account_id = ${sql(of)}.account_id and ${sql(by)} = ${sql(of)}.${sql(column)} limit 1
  ) as r`;

/** Reads requests by account and id, in one round trip; null where there is none. */
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
    where kind = any(${linkedKinds}::text[]) and created_at <= ${madeBefore}::timestamptz`;
  return row?.due ?? null;
}
