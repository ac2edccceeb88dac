import type { Queryable } from '../platform/postgres/connect.ts';
import type { RequestRow } from './row.ts';
import { requestColumns } from './store.ts';

/** Reads the newest requests of a kind on a mandate. */
export const requestsOfMandate = <Row extends RequestRow>(
  sql: Queryable,
  { accountId, kind, id }: { accountId: string; kind: Row['kind']; id: number },
  limit: number,
): Promise<Row[]> => sql<Row[]>`
  select ${requestColumns(sql)} from requests r
  where r.account_id = ${accountId} and r.mandate_id = ${id} and r.kind = ${kind}
  order by r.id + 0 desc limit ${limit}`;
