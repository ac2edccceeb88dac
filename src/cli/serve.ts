import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { formatDay } from '../kernel/dates.ts';
import { type Service, serve } from '../main.ts';
import { openLog } from '../platform/log.ts';
import { withDatabase } from './command.ts';
import { print } from './print.ts';

const exampleBody = (today: Temporal.PlainDate): string =>
  JSON.stringify({
    payment_request: {
      description: 'Cuota de diciembre',
      first_due_date: formatDay(today.add({ days: 10 })),
      first_total: 1430.5,
      payer_name: 'Ana Pérez',
    },
  });

/** What a newcomer needs to see: where everything is, and a call that works when pasted. */
function welcome({ origin, metricsUrl, demo, parts }: Service, config: Config): void {
  const lines = [
    `environment ${config.ENVIRONMENT}, roles ${config.ROLES.join(',')}`,
    `API         ${origin}  (reference: ${origin}/docs)`,
    `metrics     ${metricsUrl}`,
  ];
  if (demo) {
    const body = exampleBody(parts.clocks.business.today());
    lines.push(`account     ${demo.accountId}`);
    if (demo.key === null) {
      lines.push(
        'API key     shown once, when it was made; another one:',
        `get a key   KEY=$(npx recaudo keys create --account ${demo.accountId})`,
      );
    } else {
      lines.push(`API key     ${demo.key}`);
    }
    lines.push(
      'try         ' +
        `curl -sS ${origin}/payment-request -H "Authorization: Bearer ${demo.key ?? '$KEY'}" -H 'Content-Type: application/json' -d '${body}'`,
    );
  }
  for (const line of lines) print(line);
  print(`ready ${origin}`);
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const log = openLog(config.LOG_LEVEL);
  const service = await serve(config, log);
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping: answering what is under way');
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the stop was not clean');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  welcome(service, config);
}

export function serveCommands(program: Command): void {
  program.command('serve').description('run the service').action(run);
  program
    .command('migrate')
    .description('bring the database to the schema of this release')
    .action(() =>
      withDatabase('migrate', async ({ migrate }) => {
        const { applied } = await migrate();
        print(
          applied.length > 0 ? applied.map((name) => `applied ${name}`).join('\n') : 'up to date',
        );
      }),
    );
}
