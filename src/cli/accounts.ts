import type { Command } from 'commander';
import { accountCreating, accountList, accountSetting, readAccount } from '../accounts/index.ts';
import type { Base } from '../platform/base.ts';
import { ownerNotices } from '../users/index.ts';
import { accountLifeCommands } from './account-life.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';

/** Informs the owners about a new payout CBU. */
async function tellOfCbu(base: Base, accountId: string, cbu: string | null) {
  const account = await readAccount(base.sql, accountId);
  return account ? await ownerNotices(base)(account, { what: 'cbu_changed', cbu }) : undefined;
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
