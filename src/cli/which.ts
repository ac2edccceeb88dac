import type { Command } from 'commander';
import { getAccount, listAccounts } from '../accounts/index.ts';
import type { Sql } from '../platform/postgres/connect.ts';

/** Returns the accounts of a command: the named one, or all. Throws 404 for an unknown account. */
export async function accountIdsOf(sql: Sql, account: string | undefined): Promise<string[]> {
  if (account === undefined) return (await listAccounts(sql)).map(({ id }) => id);
  return [(await getAccount(sql, account)).id];
}

export const inAccount = (command: Command): Command =>
  command.option('--account <id>', 'only in this account');
