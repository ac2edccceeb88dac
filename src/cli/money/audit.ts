import type { Command } from 'commander';
import { listAccounts, operatorBooks } from '../../accounts/index.ts';
import { auditAccount } from '../../money/audit/index.ts';
import { auditFiles } from '../../rails/index.ts';
import { auditReports } from '../../reports/index.ts';
import { withBase } from '../command.ts';
import { print, printRows } from '../print.ts';

export function auditCommand(program: Command): void {
  program
    .command('audit')
    .description('re-add every journal and balance; exits 1 and names what does not match')
    .option('--account <id>', 'only this account')
    .option('--json', 'as JSON')
    .action((options: { account?: string; json?: boolean }) =>
      withBase('audit', async ({ sql }) => {
        const { account } = options;
        const holders = (await listAccounts(sql)).map(({ id }) => id);
        const known = [operatorBooks, ...holders];
        const accounts = known.filter((id) => account === undefined || id === account);
        if (accounts.length === 0) throw new Error('there is no such account');
        const faults = [];
        for (const id of accounts)
          faults.push(...(await auditAccount(sql, id, [auditReports, auditFiles])));
        if (faults.length === 0) {
          if (options.json) printRows([], options);
          else print(`${account === undefined ? holders.length : 1} accounts add up`);
          return;
        }
        printRows(
          faults.map(({ accountId, what }) => ({ account: accountId, what })),
          options,
        );
        process.exitCode = 1;
      }),
    );
}
