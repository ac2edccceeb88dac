import type { Command } from 'commander';
import { createAccount, listAccounts } from '../accounts/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { auditWriter } from '../parts.ts';
import { withBase } from './command.ts';
import { print, printRows } from './print.ts';

interface CreateOptions {
  name: string;
  cuit: string;
  city: string;
  id?: string;
}

export function accountCommands(program: Command): void {
  const accounts = program.command('accounts').description('the accounts that collect');

  accounts
    .command('create')
    .description('open an account; prints its id')
    .requiredOption('--name <name>', 'name of the account holder, as payers see it')
    .requiredOption('--cuit <cuit>', 'CUIT of the account holder, 11 digits')
    .option('--city <city>', 'city of the account holder', 'Buenos Aires')
    .option('--id <id>', '8 upper-case hexadecimal characters; drawn when left out')
    .action((options: CreateOptions) =>
      withBase('accounts create', async ({ sql, base, clocks }) => {
        const audit = auditWriter(base, 'operator');
        const { name, cuit, city } = options;
        const input = { name, cuit: cuit.replaceAll('-', ''), city, id: options.id ?? null };
        print((await createAccount(sql, clocks, audit, input)).id);
      }),
    );

  accounts
    .command('list')
    .description('list the accounts')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) =>
      withBase('accounts list', async ({ sql }) => {
        const rows = await listAccounts(sql);
        printRows(
          rows.map(({ id, name, cuit, city, created_at }) => ({
            id,
            name,
            cuit,
            city,
            created_at: isoDateTime(created_at),
          })),
          options,
        );
      }),
    );
}
