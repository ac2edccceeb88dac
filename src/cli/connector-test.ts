import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { isSecret } from '../../connectors/protocol/signature.ts';
import type { KitOptions, Report, Result } from '../connectors/kit/index.ts';
import { exits } from './failure.ts';
import { exitWith, invocation } from './invocation.ts';
import { print, say } from './print.ts';

interface Options {
  secret?: string;
  listen?: { host: string; port: number };
  patience: number;
  restart?: string;
  log?: string;
  json?: boolean;
}

const placeIn = (text: string): { host: string; port: number } => {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === '' || Number(port) > 65_535)
    throw new InvalidArgumentError('This value must be HOST:PORT.');
  return { host, port: Number(port) };
};

const secondsIn = (text: string): number => {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > 3600)
    throw new InvalidArgumentError('This value must be a whole number from 1 to 3600.');
  return seconds;
};

const addressIn = (text: string): string => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('This value must be an address such as http://127.0.0.1:8471.');
  }
  return url.href;
};

function secretsIn({ secret = invocation().env.CONNECTOR_SECRET }: Options): string[] {
  const secrets = (secret ?? '').split(',');
  if (secrets.every(isSecret)) return secrets;
  throw new InvalidArgumentError(
    'Give the secret of the connector (whsec_ and base64) with --secret or CONNECTOR_SECRET.',
  );
}

const marks: Record<Result['result'], string> = {
  held: 'ok    ',
  broken: 'BROKEN',
  not_offered: '-     ',
};

const lineOf = ({ result, group, guarantee, detail }: Result): string =>
  `${marks[result]} ${group}: ${guarantee}${detail === null ? '' : `\n         ${detail}`}`;

const summaryOf = ({ connector, held, broken, not_offered: rest }: Report): string =>
  `${connector.name} ${connector.version}: ${held} held, ${broken} broken, ${rest} not offered`;

/** Runs a shell command that returns once the connector is restarted. */
const restartBy = (command: string) => async (): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] });
  child.once('error', reject).once('exit', (code) => {
    if (code === 0) resolve();
    else reject(new Error(`The command of --restart ended with status ${code}.`));
  });
  await promise;
};

const logIn = (path: string) => (): Promise<string> => readFile(path, 'utf8');

async function test(url: string, options: Options): Promise<void> {
  const kit: KitOptions = {
    url,
    secrets: secretsIn(options),
    patienceMs: options.patience * 1000,
    listen: options.listen ?? null,
    restart: options.restart === undefined ? null : restartBy(options.restart),
    logged: options.log === undefined ? null : logIn(options.log),
    ...(!options.json && { onResult: (result: Result) => say(lineOf(result)) }),
  };
  const { runKit } = await import('../connectors/kit/index.ts');
  const report = await runKit(kit);
  print(summaryOf(report), { ...report }, options);
  if (report.broken > 0) exitWith(exits.failed);
}

/** Adds `connectors test`, the conformance kit, which needs no database and no configuration. */
export function connectorTestCommand(program: Command): void {
  const connectors =
    program.commands.find((one) => one.name() === 'connectors') ??
    program.command('connectors').description('online acquirers, banks and wallets');
  connectors
    .command('test')
    .description('test a connector against every protocol guarantee; exits 1 if it breaks one')
    .argument('<url>', 'the address of the connector', addressIn)
    .option(
      '--secret <secret>',
      'the secret of the connector, or two separated by a comma during a rotation (default: CONNECTOR_SECRET)',
    )
    .option('--listen <place>', 'HOST:PORT that receives its notices', placeIn)
    .option(
      '--patience <seconds>',
      'seconds to wait for states that settle on their own',
      secondsIn,
      30,
    )
    .option('--restart <command>', 'a shell command that restarts it and returns once it is up')
    .option('--log <file>', 'its log file, to check for card numbers')
    .option('--json', 'as JSON')
    .action(test);
}
