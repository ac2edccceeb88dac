import type { Command } from 'commander';
import { eraseNow } from '../debit-requests/index.ts';
import { idIn } from './arguments.ts';
import { withBase } from './command.ts';
import { print } from './print.ts';

/** What an operator does with the numbers of cards. */
export function cardCommands(program: Command): void {
  program
    .command('cards')
    .description('the card numbers that mandates hold')
    .command('erase')
    .description('erase the number of a canceled card adhesion now, before its time is over')
    .requiredOption('--account <id>', 'the account')
    .argument('<adhesion>', 'the id of the card adhesion', idIn)
    .action((id: number, { account: accountId }: { account: string }) =>
      withBase('cards erase', async ({ base }) => {
        const key = { accountId, kind: 'card_adhesion', id } as const;
        const erased = await eraseNow(base)(key, 'operator');
        print(`the number of card adhesion ${id} ${erased ? 'is erased' : 'was erased before'}`);
      }),
    );
}
