import type { Command } from 'commander';
import { configuredVault, keepConfiguredSealKeys } from '../composition/keys.ts';
import type { Config } from '../config/index.ts';
import { rewrapCards, rewrapReplacedCards, rewrapTransportKeys } from '../mandates/index.ts';
import type { Acting } from '../platform/base.ts';
import type { Vault } from '../platform/vault.ts';
import { rewrapUploads } from '../rails/index.ts';
import { keyPurposes, rewrapKeys } from '../secrets/index.ts';
import { rewrapFactors } from '../users/index.ts';
import { withBase } from './command.ts';
import { type Answering, print } from './print.ts';
import { withProgress } from './progress.ts';

async function rewrapAll(config: Config, acting: Acting, vault: Vault) {
  const seal_keys = await keepConfiguredSealKeys(config, acting, vault);
  const cards = (await rewrapCards(acting, vault)) + (await rewrapReplacedCards(acting, vault));
  const transport_keys = await rewrapTransportKeys(acting, vault);
  const counts = keyPurposes.map((purpose) => rewrapKeys(acting, vault, purpose));
  const keys = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  const factors = await rewrapFactors(acting, vault);
  const uploads = await rewrapUploads(acting, vault);
  return { cards, transport_keys, keys, factors, uploads, seal_keys };
}

export function vaultCommands(program: Command): void {
  program
    .command('vault')
    .description('keys that encrypt card numbers and secrets')
    .command('rewrap')
    .description('re-encrypt everything with the first VAULT_KEYS entry; safe to interrupt')
    .action((options: Answering) =>
      withBase('vault rewrap', async ({ config, base, actor }) => {
        const vault = await configuredVault(config);
        const done = await withProgress(options, () =>
          rewrapAll(config, { ...base, actor }, vault),
        );
        const key = vault.keyId();
        const text = [
          `re-encrypted ${done.cards} card numbers and ${done.transport_keys} transport keys`,
          `re-encrypted ${done.keys} keys of links and webhooks`,
          `re-encrypted ${done.factors} secrets of second factors`,
          `re-encrypted ${done.uploads} files waiting for import`,
          `kept ${done.seal_keys} keys that check older seals`,
          `everything uses the key "${key}"`,
        ];
        print(text, { ...done, key }, options);
      }),
    );
}
