import type { Command } from 'commander';
import { decimalText } from '../../kernel/money.ts';
import { holderBalances } from '../../money/ledger/index.ts';
import { withBase } from '../command.ts';
import { printRows } from '../print.ts';
import { accountIdsOf, inAccount } from '../which.ts';

export function balanceCommand(program: Command): void {
  inAccount(program.command('balances'))
    .description('what account holders are owed: available now, and later')
    .option('--json', 'as JSON')
    .action((options: { account?: string; json?: boolean }) =>
      withBase('balances', async ({ sql }) => {
        const rows = [];
        for (const account of await accountIdsOf(sql, options.account)) {
          const { available, unavailable } = await holderBalances(sql, account);
          const balances = {
            available: decimalText(available),
            unavailable: decimalText(unavailable),
          };
          rows.push({ account, ...balances });
        }
        printRows(rows, options);
      }),
    );
}
