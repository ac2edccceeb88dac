import { type Command, InvalidArgumentError } from 'commander';
import {
  accountRefusal,
  allPermissions,
  createKey,
  type KeyPermission,
  listKeys,
  revokeKey,
} from '../accounts/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { idIn, keyNameIn } from './arguments.ts';
import { mustExist, withBase } from './command.ts';
import { type Answering, print, printRows } from './print.ts';

interface CreateOptions extends Answering {
  account: string;
  name: string;
  permissions: KeyPermission[];
  expires?: Temporal.Instant;
}

const isPermission = (word: string): word is KeyPermission =>
  allPermissions.some((known) => known === word);

function permissionsIn(text: string): KeyPermission[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.every(isPermission)) return [...new Set(words)] as KeyPermission[];
  throw new InvalidArgumentError(`It must be a list of ${allPermissions.join(', ')}.`);
}

function momentIn(text: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw new InvalidArgumentError('It must be a date-time such as 2027-01-31T00:00:00-03:00.');
  }
}

export function keyCommands(program: Command): void {
  const keys = program.command('keys').description('the API keys of an account');

  keys
    .command('create')
    .description('make a key; prints the key alone, once')
    .requiredOption('--account <id>', 'the account')
    .option('--name <name>', 'what the key is for', keyNameIn, 'cli')
    .option('--permissions <list>', 'read,write,sandbox', permissionsIn, [...allPermissions])
    .option('--expires <date-time>', 'when it stops working', momentIn)
    .action((options: CreateOptions) =>
      withBase('keys create', async ({ config, base, actor }) => {
        const { account, name, permissions } = options;
        const isPast =
          options.expires && Temporal.Instant.compare(options.expires, base.clocks.wall.now()) <= 0;
        if (isPast) throw accountRefusal('api_key.expiry_past', {});
        const id = await base.recordIds.next();
        const key = await createKey(
          { ...base, actor },
          {
            id,
            environment: config.ENVIRONMENT,
            accountId: account,
            name,
            permissions,
            expiresAt: options.expires ?? null,
            secret: null,
          },
        );
        print(key, { id, account, name, permissions, key }, options);
      }),
    );

  keys
    .command('list')
    .description('list the keys of an account, never the keys themselves')
    .requiredOption('--account <id>', 'the account')
    .option('--json', 'as JSON')
    .action((options: { account: string; json?: boolean }) =>
      withBase('keys list', async ({ sql }) => {
        const moment = (at: Temporal.Instant | null) => (at === null ? null : isoDateTime(at));
        await mustExist(sql, options.account);
        const rows = await listKeys(sql, options.account);
        printRows(
          rows.map((key) => ({
            id: key.id,
            name: key.name,
            prefix: key.prefix,
            permissions: key.permissions.join(','),
            created_at: isoDateTime(key.created_at),
            expires_at: moment(key.expires_at),
            revoked_at: moment(key.revoked_at),
            last_used_at: moment(key.last_used_at),
          })),
          options,
        );
      }),
    );

  keys
    .command('revoke')
    .description('revoke a key at once, in every process')
    .requiredOption('--account <id>', 'the account')
    .argument('<id>', 'the number that `keys list` shows', idIn)
    .action((id: number, options: Answering & { account: string }) =>
      withBase('keys revoke', async ({ sql, base, actor }) => {
        const { account } = options;
        await mustExist(sql, account);
        await revokeKey({ ...base, actor }, { accountId: account, id });
        print(`key ${id} is revoked`, { id, account, revoked: true }, options);
      }),
    );
}
