import type { Queryable } from '../platform/postgres/connect.ts';
import type { RequestKey } from './row.ts';
import type { RequestKind } from './states.ts';
import { requestColumns } from './store.ts';

// Fragments about requests, for the SQL of other nouns. `r` is the request.

type Fragment = ReturnType<Queryable>;

export const requestsOfKind = (sql: Queryable, kind: RequestKind): Fragment => sql`
  (select * from requests where kind = ${sql.unsafe(`'${kind}'`)}) as r`;

/** Joins the request that each row names by `account_id` and another column. */
export const joinRequests = (
  sql: Queryable,
  of: string,
  column: 'id' | 'request_id',
): Fragment => sql`
  join requests r on r.account_id = ${sql(of)}.account_id and r.id = ${sql(of)}.${sql(column)}`;

/** Selects pending requests of a kind, with their last due days as `s.last_due`. */
export const pendingOfKind = (sql: Queryable, kind: RequestKind): Fragment => sql`
  request_states s join requests r on r.account_id = s.account_id and r.id = s.id
    and s.state = 'pending' and s.kind = ${sql.unsafe(`'${kind}'`)}`;

/** Selects requests of an account by ids or codes. */
export const namedRequests = (
  sql: Queryable,
  accountId: string,
  by: { ids: readonly number[] } | { codes: readonly string[] },
): Fragment => sql`
  (select * from requests where account_id = ${accountId} and ${
    'ids' in by
      ? sql`id = any(${[...by.ids]}::bigint[])`
      : sql`code = any(${[...by.codes]}::text[])`
  }) as r`;

/** Selects a request's version. */
export const versionOf = (sql: Queryable, { accountId, id }: RequestKey): Fragment => sql`
  select version from requests where account_id = ${accountId} and id = ${id}`;

/** Builds a query that locks a request if it is payable, with today's amount as `asked`. */
export const lockPayable = (
  sql: Queryable,
  { accountId, id }: RequestKey,
  today: Temporal.PlainDate,
): Fragment => sql`
  select ${requestColumns(sql)},
    case when due1 < ${today}::date and total2 is not null then total2 else total1 end as asked
  from requests r
  where account_id = ${accountId} and id = ${id}
    and state = 'pending' and last_due >= ${today}::date
  for update`;
