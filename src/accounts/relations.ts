import { notFound } from '../platform/errors.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { AccountState } from './standing.ts';

/** How statements of other nouns read accounts: as the relation `a`; and how they lock one. */

type Fragment = ReturnType<Queryable>;

/** Joins the account of each row of a relation. */
export const joinAccounts = (sql: Queryable, of: string): Fragment => sql`
  join accounts a on a.id = ${sql(of)}.account_id`;

/** The CUIT of an account, as a query. */
export const cuitOf = (sql: Queryable, accountId: string): Fragment => sql`
  select cuit from accounts where id = ${accountId}`;

/** Every account, by its `account_id`. */
export const everyAccount = (sql: Queryable): Fragment => sql`
  (select id as account_id from accounts) as a`;

/** Locks an account until the transaction ends: what goes by its terms queues up. 404: no such. */
export async function lockAccount(
  sql: Queryable,
  accountId: string,
): Promise<{ payout_cbu: string | null; state: AccountState }> {
  const [account] = await sql<{ payout_cbu: string | null; state: AccountState }[]>`
    select payout_cbu, state from accounts where id = ${accountId} for no key update`;
  if (!account) throw notFound('account');
  return account;
}

/** Raises an account's version for a change of what hangs on it; locks it. 404: no such. */
export async function raiseVersion(sql: Queryable, accountId: string): Promise<number> {
  const [account] = await sql<{ version: number }[]>`
    update accounts set version = version + 1 where id = ${accountId} returning version`;
  if (!account) throw notFound('account');
  return account.version;
}
