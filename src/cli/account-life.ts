import type { Command } from 'commander';
import {
  accountClosing,
  accountRenaming,
  accountReopening,
  accountSuspending,
  lookApproving,
  lookRejecting,
} from '../accounts/operations.ts';
import { accountShowing } from '../money/ledger/operations.ts';
import { lookList } from '../users/operations.ts';
import type { BaseContext } from './command.ts';
import { detailCommand } from './detail.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';

/** Loaded on demand, because only approvals and rejections need it. */
const decisions = async () => (await import('../composition/look-decisions.ts')).lookDecisions;

export function accountLifeCommands(accounts: Command): void {
  const baseOf = ({ base }: BaseContext) => base;
  detailCommand(accounts, accountShowing);
  operationCommand(accounts, accountRenaming, baseOf);
  listCommand(accounts, lookList);
  operationCommand(accounts, lookApproving, async ({ base }) => {
    const { approve } = await decisions();
    return (actor, decision) => approve({ ...base, actor }, decision);
  });
  operationCommand(accounts, lookRejecting, async ({ base }) => {
    const { reject } = await decisions();
    return (actor, decision) => reject({ ...base, actor }, decision);
  });
  operationCommand(accounts, accountSuspending, baseOf);
  operationCommand(accounts, accountReopening, baseOf);
  operationCommand(accounts, accountClosing, async ({ base }) => {
    // The only command on accounts that needs mandates.
    const { closeAccount } = await import('../composition/close-account.ts');
    return (actor, order) => closeAccount({ base, actor }, order);
  });
}
