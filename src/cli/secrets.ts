import type { Command } from 'commander';
import { configuredVault } from '../composition/keys.ts';
import { type KeyPurpose, rotateKeys } from '../secrets/index.ts';
import { serviceKeyList, serviceKeyRotating } from '../secrets/operations.ts';
import { countWebhooks, replaceSecrets } from '../webhooks/index.ts';
import type { BaseContext } from './command.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';

/** Returns further consequences of new keys, shown to the operator before confirming. */
async function consequences({ sql }: BaseContext, purpose: KeyPurpose): Promise<string[]> {
  if (purpose === 'links') {
    return [
      'All existing links stop working: checkouts, coupons, images of codes, and the signing links in',
      'e-mails. Barcodes, payment codes and QR codes can still be paid. Accounts get new links when',
      'they read their requests again.',
    ];
  }
  return [
    `The secrets of ${await countWebhooks(sql)} webhooks change immediately. Their receivers reject`,
    'events until each account calls POST /webhook/{id}/rotate-secret, which returns the new secret.',
    'Deliveries are retried for three days.',
  ];
}

/** Adds the commands for the keys that sign links and derive webhook secrets. */
export function secretCommands(secrets: Command): void {
  listCommand(secrets, serviceKeyList);
  operationCommand(
    secrets,
    serviceKeyRotating,
    (context) =>
      async (actor, { purpose, retireNow, isConfirmed }) => {
        const { config, base } = context;
        if (retireNow && !isConfirmed) {
          const ends = await consequences(context, purpose);
          throw new Error(
            ['Nothing was changed. Repeat with --retire-now --yes to confirm.', ...ends].join('\n'),
          );
        }
        const vault = await configuredVault(config);
        return await rotateKeys({ ...base, actor, vault }, purpose, {
          retireNow,
          ...(purpose === 'webhooks' && { onRetire: replaceSecrets(base, actor) }),
        });
      },
  );
}
