import type { Queryable } from '../connect.ts';
import { byStatement } from './engine.ts';

/**
 * A redundant condition on the accounts of `of`: a join implies it, but with values a distributed
 * database asks only the nodes of these accounts. Empty elsewhere. Append it to another condition.
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

/**
 * Runs a look-up for all accounts together, or one by one if nodes cannot take a look-up of each.
 */
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
 * While a node is away, restricts a look for work to accounts on reachable nodes; the work is still
 * there when the node is back. Appended to another condition.
 */
export const withinReach = (
  sql: Queryable,
  column: 'account_id' | 'id' = 'account_id',
  of: string | null = null,
) =>
  sql.layout.within === null
    ? sql``
    : sql`and ${of === null ? sql`` : sql`${sql(of)}.`}${sql(column)} = any(${[...sql.layout.within]}::text[])`;
