import type { ListPage } from '../../platform/list-page.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { RequestKey } from '../../requests/index.ts';
import { type DisputeRow, undecidedStates } from './dispute.ts';

export const columns = (sql: Queryable) => sql`
  account_id, id, request_id, attempt_id, connector, name, state, revision, amount, taken, reason,
  evidence_due_at, opened_at, changed_at`;

export type DisputeName = Pick<DisputeRow, 'account_id' | 'connector' | 'name'>;

export async function readDispute(
  sql: Queryable,
  { account_id, connector, name }: DisputeName,
): Promise<DisputeRow | null> {
  const [row = null] = await sql<DisputeRow[]>`
    select ${columns(sql)} from disputes
    where account_id = ${account_id} and connector = ${connector} and name = ${name}`;
  return row;
}

/** Reads a request's disputes, in opening order. */
export const disputesOf = (sql: Queryable, { accountId, id }: RequestKey): Promise<DisputeRow[]> =>
  sql<DisputeRow[]>`
    select ${columns(sql)} from disputes
    where account_id = ${accountId} and request_id = ${id} order by id limit 1000`;

export interface DisputeList extends ListPage {
  /** Null selects all accounts. */
  accountId: string | null;
  /** False selects undecided disputes only. */
  all: boolean;
}

export const listDisputes = (
  sql: Queryable,
  { accountId, all, after, limit }: DisputeList,
): Promise<DisputeRow[]> => sql<DisputeRow[]>`
  select ${columns(sql)} from disputes
  where id > ${after} ${accountId === null ? sql`` : sql`and account_id = ${accountId}`}
    ${all ? sql`` : sql`and state = any(${undecidedStates}::text[])`}
  order by id limit ${limit}`;
