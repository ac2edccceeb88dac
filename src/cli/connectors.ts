import { type Command, InvalidArgumentError } from 'commander';
import { setConnectorSettings } from '../accounts/index.ts';
import { forgetAlarms, readAlarms } from '../connectors/index.ts';
import { noteOperator } from '../events/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import type { Acting } from '../platform/base.ts';
import { notFound } from '../platform/errors.ts';
import { type BaseContext, withBase } from './command.ts';
import { type Answering, print, printRows } from './print.ts';

const objectIn = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { ...value };
    }
  } catch {
    // Told below, as for any other text.
  }
  throw new InvalidArgumentError('It must be a JSON object.');
};

interface ConfigureOptions extends Answering {
  account: string;
  settings: Record<string, unknown>;
}

/** Commands know the connectors of the configuration that they run with. */
function mustBeConfigured({ config }: BaseContext, name: string): void {
  const known = (config.CONNECTORS ?? []).some((one) => one.name === name);
  if (!known) throw notFound(`connector in CONNECTORS with the name ${name}, or any`);
}

function statusCommand(connectors: Command): void {
  connectors
    .command('status')
    .description(
      'ask each connector for its manifest; exit status 1 where one is not as configured',
    )
    .option('--json', 'as JSON')
    .action((options: Answering) =>
      withBase('connectors status', async ({ base, config }) => {
        const { openConnectors, statusOf } = await import('../connectors/http.ts');
        const opened = openConnectors(base, config.CONNECTORS ?? [], { quiet: true });
        try {
          const rows = await statusOf(base, opened);
          printRows(rows, options);
          if (rows.some(({ state }) => state !== 'on')) process.exitCode = 1;
        } finally {
          await opened.close();
        }
      }),
    );
}

/** Forgets alarms and writes down who did; answers how many. */
async function resume(acting: Acting, name: string): Promise<number> {
  const eventId = await acting.recordIds.next();
  return await acting.sql.begin(async (tx) => {
    const forgotten = await forgetAlarms(tx, name);
    const told = { entity: 'connector', entityId: name, type: 'connector.resumed' };
    if (forgotten > 0) await noteOperator(tx, acting, { eventId, ...told, data: { forgotten } });
    return forgotten;
  });
}

export function connectorCommands(program: Command): void {
  const connectors = program
    .command('connectors')
    .description('acquirers, banks and wallets that take money online');

  statusCommand(connectors);

  connectors
    .command('alarms')
    .description('list what is to be looked at, the latest last')
    .option('--json', 'as JSON')
    .action((options: Answering) =>
      withBase('connectors alarms', async ({ sql }) => {
        printRows(
          (await readAlarms(sql)).map(({ first_at, last_at, off_until, channel, ...row }) => ({
            ...row,
            channel: channel || null,
            first_at: isoDateTime(first_at),
            last_at: isoDateTime(last_at),
            off_until: off_until && isoDateTime(off_until),
          })),
          options,
        );
      }),
    );

  connectors
    .command('resume')
    .description('what was wrong is mended: forget the alarms of a connector, switch it on again')
    .argument('<name>', 'the connector')
    .action((name: string, options: Answering) =>
      withBase('connectors resume', async ({ base, actor }) => {
        const count = await resume({ ...base, actor }, name);
        const text = `${count} alarms of ${name} are forgotten; its channels are on within a minute`;
        print(text, { connector: name, forgotten: count }, options);
      }),
    );

  connectors
    .command('configure')
    .description('set what a connector is told of an account with each charge')
    .argument('<name>', 'the connector')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--settings <json>', 'a JSON object in place of the one before', objectIn)
    .action((name: string, options: ConfigureOptions) =>
      withBase('connectors configure', async (context) => {
        mustBeConfigured(context, name);
        const { base, actor } = context;
        const { account: accountId, settings } = options;
        const change = { accountId, connector: name, settings };
        await setConnectorSettings({ ...base, actor })(change);
        const text = `${name} is told ${JSON.stringify(settings)} of account ${accountId}`;
        print(text, { connector: name, account: accountId, settings }, options);
      }),
    );
}
