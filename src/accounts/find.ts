import type { Queryable } from '../platform/postgres/connect.ts';
import { allOf } from '../platform/postgres/lists.ts';
import type { Account } from './account.ts';
import type { AccountState } from './standing.ts';

export interface AccountFilters {
  /** Part of the name, ignoring accents, or an entire id or CUIT. '' matches all. */
  words: string;
  state: AccountState | null;
}

export interface AccountsPage {
  /** Continues after this account. Null starts at the beginning. */
  behind: string | null;
  limit: number;
}

export type ListedAccount = Omit<Account, 'look'>;

/** Returns true if the deployment serves more than one account. */
export async function hasSeveralAccounts(sql: Queryable): Promise<boolean> {
  const found = await sql`select 1 from accounts limit 2`;
  return found.length > 1;
}

/** Lists accounts by name. */
export async function findAccounts(
  sql: Queryable,
  { words, state }: AccountFilters,
  { behind, limit }: AccountsPage,
): Promise<ListedAccount[]> {
  const text = words.trim();
  const where = allOf(sql, sql`true`, [
    state === null ? null : sql`state = ${state}`,
    text === ''
      ? null
      : sql`(id = ${text.toUpperCase()} or cuit = ${text.replaceAll('-', '')}
          or position(folded(${text}) in folded(name)) > 0)`,
    behind === null
      ? null
      : sql`(lower(name), id) > (select lower(name), id from accounts where id = ${behind})`,
  ]);
  return await sql<ListedAccount[]>`
    select id, name, cuit, city, state, created_at from accounts
    where ${where} order by lower(name), id limit ${limit}`;
}
