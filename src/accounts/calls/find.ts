import type { Queryable } from '../../platform/postgres/connect.ts';
import { allOf } from '../../platform/postgres/lists.ts';

/** Filters of an account's calls. A null one matches every call. */
export interface CallFilters {
  /** Part of the path, or a whole Request-Id. */
  text: string | null;
  method: string | null;
  /** The lowest and the highest status. */
  status: readonly [number, number] | null;
  keyId: number | null;
  from: Temporal.Instant | null;
  before: Temporal.Instant | null;
  /** Minimum duration. */
  slowerThanMs: number | null;
}

/** Cursor: the last call of the previous page. */
export interface CallPlace {
  at: Temporal.Instant;
  requestId: string;
}

export interface FoundCall extends CallPlace {
  method: string;
  path: string;
  /** 499 if the client aborted the call. */
  status: number;
  ms: number;
  /** Null if the call's key is unknown. */
  key: { id: number; name: string; prefix: string } | null;
}

interface CallRow {
  at: Temporal.Instant;
  request_id: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  key_id: number | null;
  name: string | null;
  prefix: string | null;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const textIs = (sql: Queryable, text: string) =>
  uuid.test(text)
    ? sql`c.request_id = ${text}::uuid`
    : sql`position(lower(${text}) in lower(c.path)) > 0`;

const conditionsOf = (sql: Queryable, f: CallFilters, after: CallPlace | null) => [
  f.text === null ? null : textIs(sql, f.text.trim()),
  f.method === null ? null : sql`c.method = ${f.method}`,
  f.status === null ? null : sql`c.status between ${f.status[0]} and ${f.status[1]}`,
  f.keyId === null ? null : sql`c.key_id = ${f.keyId}`,
  f.from === null ? null : sql`c.at >= ${f.from}::timestamptz`,
  f.before === null ? null : sql`c.at < ${f.before}::timestamptz`,
  f.slowerThanMs === null ? null : sql`c.ms >= ${f.slowerThanMs}`,
  after === null
    ? null
    : sql`(c.at, c.request_id) < (${after.at}::timestamptz, ${after.requestId}::uuid)`,
];

const present = (row: CallRow): FoundCall => ({
  at: row.at,
  requestId: row.request_id,
  method: row.method,
  path: row.path,
  status: row.status,
  ms: row.ms,
  key:
    row.key_id === null || row.name === null || row.prefix === null
      ? null
      : { id: row.key_id, name: row.name, prefix: row.prefix },
});

/**
 * Finds an account's logged calls after a cursor, newest first. Also returns how many calls of the
 * filtered time the log lacks, whatever the other filters.
 */
export async function findCalls(
  sql: Queryable,
  accountId: string,
  filters: CallFilters,
  { after, limit }: { after: CallPlace | null; limit: number },
): Promise<{ calls: FoundCall[]; leftOut: number }> {
  const mine = sql`c.account_id = ${accountId}`;
  const rows = await sql<CallRow[]>`
    select c.at, c.request_id, c.method, c.path, c.status, c.ms, c.key_id, k.name, k.prefix
    from (
      select * from api_calls c where ${allOf(sql, mine, conditionsOf(sql, filters, after))}
      order by c.at desc, c.request_id desc limit ${limit}
    ) as c
    left join api_keys k on k.account_id = c.account_id and k.id = c.key_id
    order by c.at desc, c.request_id desc`;
  const { from, before } = filters;
  const [row] = await sql<{ calls: number }[]>`
    select coalesce(sum(calls), 0)::bigint as calls from api_calls_left_out
    where account_id = ${accountId}
      ${from === null ? sql`` : sql`and at > ${from.subtract({ minutes: 1 })}::timestamptz`}
      ${before === null ? sql`` : sql`and at < ${before}::timestamptz`}`;
  return { calls: rows.map(present), leftOut: row?.calls ?? 0 };
}
