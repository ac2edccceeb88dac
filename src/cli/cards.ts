import type { Command } from 'commander';
import { eraseNow } from '../debit-requests/index.ts';
import { importBins, readBins } from '../money/channels/index.ts';
import { idIn } from './arguments.ts';
import { mustExist, withBase } from './command.ts';
import { type Answering, print, printRows } from './print.ts';

/** What an operator does with the numbers of cards. */
export function cardCommands(program: Command): void {
  const cards = program
    .command('cards')
    .description('the card numbers that mandates hold, and what first digits tell');

  cards
    .command('import')
    .description('put a file of BINs in the place of the one before, whole or not at all')
    .argument('<file>', 'CSV: prefix (4 to 11 digits), kind (credit or debit)')
    .action((path: string, options: Answering) =>
      withBase('cards import', async ({ base, actor }) => {
        const bins = await importBins({ ...base, actor }, path);
        print(`${bins} BINs; running processes know them within seconds`, { bins }, options);
      }),
    );

  cards
    .command('list')
    .description('list the BINs that were imported')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) =>
      withBase('cards list', async ({ sql }) => {
        const bins = await readBins(sql);
        printRows(
          bins.map((bin) => ({ ...bin })),
          options,
        );
      }),
    );

  cards
    .command('erase')
    .description('erase the number of a canceled card adhesion now, before its time is over')
    .requiredOption('--account <id>', 'the account')
    .argument('<adhesion>', 'the id of the card adhesion', idIn)
    .action((id: number, { account: accountId, json = false }: Answering & { account: string }) =>
      withBase('cards erase', async ({ base, sql, actor }) => {
        await mustExist(sql, accountId);
        const key = { accountId, kind: 'card_adhesion', id } as const;
        const erased = await eraseNow(base)(key, actor);
        print(
          `the number of card adhesion ${id} ${erased ? 'is erased' : 'was erased before'}`,
          { id, account: accountId, outcome: erased ? 'erased' : 'known' },
          { json },
        );
      }),
    );
}
