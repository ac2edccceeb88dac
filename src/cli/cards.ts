import type { Command } from 'commander';
import { cardErasing } from '../debit-requests/operations.ts';
import { binList, importBins } from '../money/channels/index.ts';
import { withBase } from './command.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';
import { type Answering, print } from './print.ts';

export function cardCommands(program: Command): void {
  const cards = program.command('cards').description('card numbers of mandates, and card BINs');

  cards
    .command('import')
    .description('replace the imported BINs; a file with errors changes nothing')
    .argument('<file>', 'CSV: prefix (4 to 11 digits), kind (credit or debit)')
    .action((path: string, options: Answering) =>
      withBase('cards import', async ({ base, actor }) => {
        const bins = await importBins({ ...base, actor }, path);
        print(`${bins} BINs; running processes use them within seconds`, { bins }, options);
      }),
    );

  listCommand(cards, binList);
  operationCommand(cards, cardErasing, async ({ base }) => {
    const { eraseNow } = await import('../debit-requests/index.ts');
    return eraseNow(base);
  });
}
