import type { Queryable } from '../connect.ts';
import { byStatement } from './engine.ts';

/**
 * Builds a condition on the accounts of `of`, to append to another condition. A join already
 * implies it, but only explicit values restrict Citus to these accounts' nodes. Empty on a single
 * server.
 */
export const alsoOwnedBy = (
  sql: Queryable,
  of: string,
  accountIds: readonly string[],
  column: 'account_id' | 'id' = 'account_id',
) =>
  sql.layout.isDistributed
    ? sql`and ${sql(of)}.${sql(column)} = any(${[...new Set(accountIds)]}::text[])`
    : sql``;

/** Runs a look-up for all accounts together, or one by one if the engine requires it. */
export async function foundOf<Row>(
  sql: Queryable,
  accountIds: readonly string[],
  find: (owners: string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const owners of byStatement(sql, accountIds, (accountId) => accountId)) {
    rows.push(...(await find(owners)));
  }
  return rows;
}

/**
 * Restricts a poll for work to accounts on reachable nodes while a node is down. The rest waits.
 * Append it to another condition.
 */
export const withinReach = (
  sql: Queryable,
  column: 'account_id' | 'id' = 'account_id',
  of: string | null = null,
) =>
  sql.layout.within === null
    ? sql``
    : sql`and ${of === null ? sql`` : sql`${sql(of)}.`}${sql(column)} = any(${[...sql.layout.within]}::text[])`;
