import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { formatDay } from '../kernel/dates.ts';
import { type Service, serve } from '../main.ts';
import { createLog } from '../platform/log.ts';
import { say } from './print.ts';
import { onSignal } from './signals.ts';

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
  if (demo?.user && config.ROLES.includes('web')) {
    const { email, password } = demo.user;
    lines.push(`portal      ${origin}/portal  (${email}, password ${password})`);
  }
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
  say(lines);
  say(`ready ${origin}`);
}

/** What is under way may take so long once a stop is asked for; then the process ends all the same. */
const longestDrainMs = 25_000;
/** A start under way has nothing to answer: its next step ends it. */
const longestAbandonMs = 8_000;
/** A terminal's Ctrl-C reaches npm too, which passes it on: only a later one is meant. */
const sameKeyMs = 1_000;

/** Runs the service until a signal. Whatever state it is in, SIGTERM and SIGINT end with 0. */
async function run(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL);
  const stopping = new AbortController();
  const starting = serve(config, log, {
    stopping: stopping.signal,
    onLost: (error) => {
      log.fatal({ err: error }, 'the database is gone for good: the service ends');
      void leave(1);
    },
  });
  let started = false;
  const leave = async (code: number): Promise<void> => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    const left = starting.then(
      (service) => service.stop(),
      () => {},
    );
    const late = sleep(started ? longestDrainMs : longestAbandonMs).then(() => {
      log.error('the stop took too long and is cut short');
    });
    await Promise.race([left, late]);
    process.exit(code);
  };
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping.signal.aborted) return;
    log.info({ signal }, 'stopping: answering what is under way');
    void leave(0);
    setTimeout(() => process.once('SIGINT', () => process.exit(1)), sameKeyMs).unref();
  };
  onSignal(stop);
  try {
    const service = await starting;
    started = true;
    if (!stopping.signal.aborted) welcome(service, config);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  }
}

export function serveCommands(program: Command): void {
  program.command('serve').description('run the service').action(run);
}
