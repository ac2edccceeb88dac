import { type Command, Option } from 'commander';
import { accountIdsOf } from '../accounts/operations.ts';
import type { MandateKind } from '../mandates/index.ts';
import { mandateList } from '../mandates/operations.ts';
import { idIn } from './arguments.ts';
import { withBase } from './command.ts';
import { listCommand } from './listing.ts';
import { print } from './print.ts';

export const digits = (text: string): string => text.replaceAll(/[-. ]/g, '');

export const nothingElse = {
  kind: null,
  id: null,
  reference: null,
  name: null,
  idNumber: null,
  state: null,
};

export function mandateCommands(mandates: Command): void {
  listCommand(mandates, mandateList);
  mandates
    .command('show')
    .description('show a mandate, whatever its account; never shows card numbers')
    .argument('<id>', 'the number of the mandate', idIn)
    .addOption(
      new Option('--kind <kind>', 'bank account or card')
        .choices(['adhesion', 'card_adhesion'])
        .default('adhesion'),
    )
    .option('--json', 'as JSON')
    .action((id: number, { kind, json = false }: { kind: MandateKind; json?: boolean }) =>
      withBase('mandates show', async ({ sql }) => {
        const { mandateNotThere, presentMandate, searchMandates } = await import(
          '../mandates/index.ts'
        );
        const accountIds = await accountIdsOf(sql, null);
        const search = { ...nothingElse, accountIds, kind, id };
        const [row] = await searchMandates(sql, search, { after: 0, limit: 1 });
        if (!row) throw mandateNotThere(kind);
        const fields = { account: row.account_id, kind, ...presentMandate(row) };
        const lines = Object.entries(fields).map(
          ([label, value]) =>
            `${label.padEnd(23)}${typeof value === 'object' ? JSON.stringify(value) : value}`,
        );
        print(lines, fields, { json });
      }),
    );
}
