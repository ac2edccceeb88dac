import type { Command } from 'commander';
import { accountCreating, accountSetting } from '../accounts/holder/operations.ts';
import { accountList } from '../accounts/operations.ts';
import type { Base } from '../platform/base.ts';
import { accountLifeCommands } from './account-life.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';

/** Prepares the owners' notice of a changed payout CBU. */
async function tellOfCbu(base: Base, accountId: string, cbu: string | null) {
  const { readAccount } = await import('../accounts/index.ts');
  const account = await readAccount(base.sql, accountId);
  if (account === null) return;
  const { ownerNotices } = await import('../users/index.ts');
  return await ownerNotices(base)(account, { what: 'cbu_changed', cbu });
}

export function accountCommands(accounts: Command): void {
  operationCommand(accounts, accountCreating, ({ base }) => base);
  listCommand(accounts, accountList);
  operationCommand(accounts, accountSetting, ({ base }) => ({
    base,
    noticesOf: (accountId, cbu) => tellOfCbu(base, accountId, cbu),
  }));
  accountLifeCommands(accounts);
}
