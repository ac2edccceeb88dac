import type { Command } from 'commander';
import { listAccounts, operatorBooks } from '../../accounts/index.ts';
import { auditAccount } from '../../audit/index.ts';
import { configuredSealKeys } from '../../composition/keys.ts';
import { midnightOf } from '../../kernel/dates.ts';
import { dayIn } from '../arguments.ts';
import { withBase } from '../command.ts';
import { print, printRows } from '../print.ts';

interface Options {
  account?: string;
  since?: Temporal.PlainDate;
  json?: boolean;
}

export function auditCommand(program: Command): void {
  program
    .command('audit')
    .description('re-add every journal and balance; exits 1 and names what does not match')
    .option('--account <id>', 'only this account')
    .option('--since <day>', 'compare digests of what was sealed from this day on only', dayIn)
    .option('--json', 'as JSON')
    .action(({ account, since, json }: Options) =>
      withBase('audit', async ({ config, sql }) => {
        const holders = (await listAccounts(sql)).map(({ id }) => id);
        const known = [operatorBooks, ...holders];
        const accounts = known.filter((id) => account === undefined || id === account);
        if (accounts.length === 0) throw new Error('there is no such account');
        const keys = await configuredSealKeys(config);
        const faults = [];
        for (const id of accounts) {
          const from = since === undefined ? null : midnightOf(since);
          faults.push(...(await auditAccount(sql, id, { keys, since: from })));
        }
        if (faults.length === 0) {
          if (json) printRows([], { json });
          else print(`${account === undefined ? holders.length : 1} accounts add up`);
          return;
        }
        printRows(
          faults.map(({ accountId, what }) => ({ account: accountId, what })),
          { ...(json !== undefined && { json }) },
        );
        process.exitCode = 1;
      }),
    );
}
