import type { Queryable } from '../connect.ts';
import { byStatement } from './engine.ts';

/**
 * That the rows of `of` are of these accounts, which a join with rows of theirs says anyway: told as
 * a value, a distributed database asks the nodes of these alone. Elsewhere it is left unsaid. To be
 * put behind another condition.
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

/** What is found of all accounts together, or one after the other where nodes take no look-up of each. */
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
 * Only rows of accounts whose nodes answer, said while one does not: for looks for work, which is
 * still there when the node is back. To be put behind another condition.
 */
export const withinReach = (
  sql: Queryable,
  column: 'account_id' | 'id' = 'account_id',
  of: string | null = null,
) =>
  sql.layout.within === null
    ? sql``
    : sql`and ${of === null ? sql`` : sql`${sql(of)}.`}${sql(column)} = any(${[...sql.layout.within]}::text[])`;
