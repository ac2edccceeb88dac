import type { Queryable } from '../platform/postgres/connect.ts';
import { alsoOwnedBy } from '../platform/postgres/distributed/owners.ts';
import { refusal } from './codes.ts';

// Fragments about accounts, for the SQL of other nouns. `a` is the account.

type Fragment = ReturnType<Queryable>;

/** Joins each row's account. `accountIds` are all accounts involved. */
export const joinAccounts = (
  sql: Queryable,
  of: string,
  accountIds?: readonly string[],
): Fragment => sql`
  join accounts a on a.id = ${sql(of)}.account_id
    ${accountIds ? alsoOwnedBy(sql, 'a', accountIds, 'id') : sql``}`;

export const cuitOf = (sql: Queryable, accountId: string): Fragment => sql`
  select cuit from accounts where id = ${accountId}`;

/** Tests whether the account returns late approvals. */
export const returnsLateApprovals = (sql: Queryable, accountId: string): Fragment => sql`
  (select coalesce((settings->>'returns_late_approvals')::boolean, false)
    from accounts where id = ${accountId})`;

export const everyAccount = (sql: Queryable): Fragment => sql`
  (select id as account_id from accounts) as a`;

export const closedAccounts = (sql: Queryable): Fragment => sql`
  (select id as account_id from accounts where state = 'closed') as a`;

/** Tests whether the account `a` may receive payments, create requests and sign. */
export const isActive = (sql: Queryable): Fragment => sql`a.state = 'active'`;

/**
 * Locks an account and raises its version, for a change of dependent rows. Throws 404 for an
 * unknown account.
 */
export async function raiseVersion(sql: Queryable, accountId: string): Promise<number> {
  const [account] = await sql<{ version: number }[]>`
    update accounts set version = version + 1 where id = ${accountId} returning version`;
  if (!account) throw refusal('account.not_found', {});
  return account.version;
}
