import type { Command } from 'commander';
import { getAccount, listAccounts } from '../accounts/index.ts';
import type { Sql } from '../platform/postgres/connect.ts';

/** Which accounts a command looks at: the one that was named, or all. 404: there is none such. */
export async function accountIdsOf(sql: Sql, account: string | undefined): Promise<string[]> {
  if (account === undefined) return (await listAccounts(sql)).map(({ id }) => id);
  return [(await getAccount(sql, account)).id];
}

export const inAccount = (command: Command): Command =>
  command.option('--account <id>', 'only in this account');
