import { Argument, type Command } from 'commander';
import { configuredVault } from '../composition/keys.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { type KeyPurpose, keyPurposes, readKeys, rotateKeys } from '../secrets/index.ts';
import { countWebhooks, replaceSecrets } from '../webhooks/index.ts';
import { type BaseContext, withBase } from './command.ts';
import { type Answering, print, printRows } from './print.ts';

interface RotateOptions extends Answering {
  retireNow?: boolean;
  yes?: boolean;
}

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

async function rotate(
  context: BaseContext,
  purpose: KeyPurpose,
  { retireNow = false, yes = false, json = false }: RotateOptions,
): Promise<void> {
  const { config, base, actor } = context;
  if (retireNow && !yes) {
    const ends = await consequences(context, purpose);
    throw new Error(
      ['Nothing was changed. Repeat with --retire-now --yes to confirm.', ...ends].join('\n'),
    );
  }
  const vault = await configuredVault(config);
  const rotation = await rotateKeys({ ...base, actor, vault }, purpose, {
    retireNow,
    ...(purpose === 'webhooks' && { onRetire: replaceSecrets(base, actor) }),
  });
  const used_from = isoDateTime(rotation.usedFrom);
  const { no, retired } = rotation;
  const before = retireNow
    ? `keys retired: ${retired.join(', ') || 'none'}`
    : 'links and secrets of earlier keys stay valid until they expire';
  const text = [`key ${no} of ${purpose} is in use from ${used_from}`, before];
  print(text, { purpose, no, used_from, retired }, { json });
}

const stateOf = (key: { retired_at: unknown; replaced_at: unknown }): string => {
  if (key.retired_at !== null) return 'retired';
  return key.replaced_at === null ? 'current' : 'verifies';
};

/** Adds the commands for the keys that sign links and derive webhook secrets. */
export function secretCommands(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('keys that sign links and derive webhook secrets');

  secrets
    .command('list')
    .description('list the keys, never their values')
    .option('--json', 'as JSON')
    .action((options: { json?: boolean }) =>
      withBase('secrets list', async ({ sql }) => {
        const keys = await Promise.all(keyPurposes.map((purpose) => readKeys(sql, purpose)));
        printRows(
          keys.flat().map((key) => ({
            purpose: key.purpose,
            no: key.no,
            state: stateOf(key),
            sealed_under: key.vault_key_id,
            used_from: isoDateTime(key.used_from),
            retired_at: key.retired_at && isoDateTime(key.retired_at),
          })),
          options,
        );
      }),
    );

  secrets
    .command('rotate')
    .description('create a new key; links and secrets of earlier keys stay valid until they expire')
    .addArgument(new Argument('<purpose>', 'purpose of the key').choices([...keyPurposes]))
    .option('--retire-now', 'erase all earlier keys immediately, for example after a leak')
    .option('--yes', 'confirm --retire-now, which invalidates everything those keys made')
    .action((purpose: KeyPurpose, options: RotateOptions) =>
      withBase('secrets rotate', (context) => rotate(context, purpose, options)),
    );
}
