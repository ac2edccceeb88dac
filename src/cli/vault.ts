import type { Command } from 'commander';
import { rewrapCards, rewrapReplacedCards, rewrapTransportKey } from '../mandates/index.ts';
import { openVaultOf } from '../parts.ts';
import { withBase } from './command.ts';
import { print } from './print.ts';

export function vaultCommands(program: Command): void {
  program
    .command('vault')
    .description('the keys that card numbers are sealed with')
    .command('rewrap')
    .description('seal all card numbers under the first of VAULT_KEYS; can be interrupted')
    .action(() =>
      withBase('vault rewrap', async ({ config, sql }) => {
        const vault = await openVaultOf(config, sql);
        const cards = (await rewrapCards(sql, vault)) + (await rewrapReplacedCards(sql, vault));
        const transport = await rewrapTransportKey(sql, vault);
        print(`sealed ${cards} card numbers anew${transport ? ', and the transport key' : ''}`);
        print(`all are under the key "${vault.keyId()}"`);
      }),
    );
}
