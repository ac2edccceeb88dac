import type { Queryable, Sql } from '../platform/postgres/connect.ts';
import type { Look } from './appearance/look.ts';
import { refusal } from './codes.ts';
import type { AccountState } from './standing.ts';

export interface Account {
  id: string;
  name: string;
  cuit: string;
  city: string;
  state: AccountState;
  created_at: Temporal.Instant;
  look: Look;
}

/** Highest value of any of an account's limits. */
export const highestLimit = 1_000_000_000;

/** The operator's own books, for money whose owner is not known yet. */
export const operatorBooks = '00000000';

export async function readAccount(sql: Queryable, id: string): Promise<Account | null> {
  const [row] = await sql<Account[]>`
    select id, name, cuit, city, state, created_at, coalesce(look, '{}') as look
    from accounts where id = ${id}`;
  return row ?? null;
}

/** Returns an account. Throws 404 for an unknown id. */
export async function getAccount(sql: Queryable, id: string): Promise<Account> {
  const account = await readAccount(sql, id);
  if (account === null) throw refusal('account.not_found', {});
  return account;
}

/** Returns the account's id, or if null every account's. */
export const accountIdsOf = async (sql: Sql, account: string | null): Promise<string[]> =>
  account === null ? (await listAccounts(sql)).map(({ id }) => id) : [account];

export async function accountNames(
  sql: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from accounts where id = any(${[...new Set(ids)]}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function listAccounts(sql: Sql): Promise<Account[]> {
  return await sql<Account[]>`
    select id, name, cuit, city, state, created_at, coalesce(look, '{}') as look
    from accounts order by created_at, id`;
}
