import type { Command } from 'commander';
import type { AccountSettings } from '../accounts/index.ts';
import {
  accountClosing,
  accountRenaming,
  accountReopening,
  accountSuspending,
  lookApproving,
  lookRejecting,
} from '../accounts/operations.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { decimalText } from '../kernel/money.ts';
import { lookList } from '../users/operations.ts';
import { type BaseContext, withBase } from './command.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';
import { print } from './print.ts';

interface Options {
  json?: boolean;
}

/** Returns the settings of an account, with amounts in pesos. */
function settingsFields(settings: AccountSettings) {
  const { refund_approval_above: above } = settings;
  return { ...settings, refund_approval_above: above === null ? null : decimalText(above) };
}

function showCommand(accounts: Command): void {
  accounts
    .command('show')
    .description('show an account: its state, settings, keys and balances')
    .argument('<id>', 'the account')
    .option('--json', 'as JSON')
    .action((id: string, options: Options) =>
      withBase('accounts show', async ({ sql }) => {
        const [{ getAccount, listKeys, readSettings }, { holderBalances }] = await Promise.all([
          import('../accounts/index.ts'),
          import('../money/ledger/index.ts'),
        ]);
        const account = await getAccount(sql, id);
        const settings = await readSettings(sql, id);
        const keys = (await listKeys(sql, id)).filter((key) => key.revoked_at === null);
        const { available, unavailable } = await holderBalances(sql, id);
        const { look, ...fieldsOfAccount } = account;
        const fields = {
          ...fieldsOfAccount,
          legal_name: look.legal_name ?? null,
          created_at: isoDateTime(account.created_at),
          ...(settings && settingsFields(settings)),
          keys: keys.length,
          available: decimalText(available),
          unavailable: decimalText(unavailable),
        };
        const width = Math.max(...Object.keys(fields).map(({ length }) => length)) + 2;
        const lines = Object.entries(fields).map(
          ([label, value]) => `${label.padEnd(width)}${value ?? '-'}`,
        );
        print(lines, fields, options);
      }),
    );
}

/** Loads the decisions, because only commands that decide need them. */
const decisions = async () => (await import('../composition/look-decisions.ts')).lookDecisions;

/** Adds the commands on existing accounts. */
export function accountLifeCommands(accounts: Command): void {
  const baseOf = ({ base }: BaseContext) => base;
  showCommand(accounts);
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
