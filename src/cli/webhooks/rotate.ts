import type { Command } from 'commander';
import { configuredKeyRing } from '../../composition/keys.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import { createSecrets, rotateSecret } from '../../webhooks/index.ts';
import { idIn } from '../arguments.ts';
import { type BaseContext, mustExist, withBase } from '../command.ts';
import { invocation } from '../invocation.ts';
import { type Answering, print } from '../print.ts';

interface RotateOptions extends Answering {
  account: string;
  revokeNow?: boolean;
}

async function rotate(
  { config, base, actor }: BaseContext,
  id: number,
  { account: accountId, revokeNow = false, json = false }: RotateOptions,
): Promise<void> {
  await mustExist(base.sql, accountId);
  const ring = await configuredKeyRing(config, base, 'webhooks');
  const parts = { secrets: createSecrets(ring), refreshKeys: ring.refresh };
  const ctx = { accountId, actor };
  const { secret, previousUntil } = await rotateSecret(base, parts)(ctx, { id, revokeNow });
  const previous_secret_expires_at = previousUntil && isoDateTime(previousUntil);
  print(secret, { id, account: accountId, secret, previous_secret_expires_at }, { json });
  if (json) return;
  invocation().stderr.write(
    previous_secret_expires_at === null
      ? 'no secret before it signs any more\n'
      : `the secret before it signs too until ${previous_secret_expires_at}\n`,
  );
}

/** `webhooks rotate-secret`: prints the new secret alone on stdout. */
export function rotateCommand(webhooks: Command): void {
  webhooks
    .command('rotate-secret')
    .description('give a webhook a new secret; the one before it signs too for 24 hours')
    .requiredOption('--account <id>', 'the account')
    .argument('<id>', 'the number that `webhooks list` shows', idIn)
    .option('--revoke-now', 'the secrets before stop signing at once')
    .action((id: number, options: RotateOptions) =>
      withBase('webhooks rotate-secret', (context) => rotate(context, id, options)),
    );
}
