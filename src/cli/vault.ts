import type { Command } from 'commander';
import { configuredVault } from '../composition/keys.ts';
import { rewrapCards, rewrapReplacedCards, rewrapTransportKeys } from '../mandates/index.ts';
import { keyPurposes, rewrapKeys } from '../platform/secrets/index.ts';
import { withBase } from './command.ts';
import { print } from './print.ts';

export function vaultCommands(program: Command): void {
  program
    .command('vault')
    .description('the keys that card numbers and secrets are encrypted with')
    .command('rewrap')
    .description('seal everything under the first of VAULT_KEYS; can be interrupted')
    .action(() =>
      withBase('vault rewrap', async ({ config, sql }) => {
        const vault = await configuredVault(config);
        const cards = (await rewrapCards(sql, vault)) + (await rewrapReplacedCards(sql, vault));
        const transport = await rewrapTransportKeys(sql, vault);
        const counts = keyPurposes.map((purpose) => rewrapKeys(sql, vault, purpose));
        const keys = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
        print(`encrypted ${cards} card numbers and ${transport} transport keys anew`);
        print(`encrypted ${keys} keys of links and webhooks anew`);
        print(`all are under the key "${vault.keyId()}"`);
      }),
    );
}
