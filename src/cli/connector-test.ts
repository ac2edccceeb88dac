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
  json?: boolean;
}

const placeIn = (text: string): { host: string; port: number } => {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === '' || Number(port) > 65_535) throw new InvalidArgumentError('It must be HOST:PORT.');
  return { host, port: Number(port) };
};

const secondsIn = (text: string): number => {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > 3600) throw new InvalidArgumentError('It must be 1 to 3600.');
  return seconds;
};

const addressIn = (text: string): string => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be an address such as http://127.0.0.1:8471.');
  }
  return url.href;
};

function secretsIn({ secret = invocation().env.CONNECTOR_SECRET }: Options): string[] {
  const secrets = (secret ?? '').split(',');
  if (secrets.every(isSecret)) return secrets;
  throw new InvalidArgumentError(
    'The secret of the connector must come by --secret or CONNECTOR_SECRET: whsec_ and base64.',
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

async function test(url: string, options: Options): Promise<void> {
  const kit: KitOptions = {
    url,
    secrets: secretsIn(options),
    patienceMs: options.patience * 1000,
    listen: options.listen ?? null,
    ...(!options.json && { onResult: (result: Result) => say(lineOf(result)) }),
  };
  const { runKit } = await import('../connectors/kit/index.ts');
  const report = await runKit(kit);
  print(summaryOf(report), { ...report }, options);
  if (report.broken > 0) exitWith(exits.failed);
}

/** `connectors test`: the conformance kit. It needs no database and no configuration. */
export function connectorTestCommand(program: Command): void {
  const connectors =
    program.commands.find((one) => one.name() === 'connectors') ??
    program
      .command('connectors')
      .description('acquirers, banks and wallets that take money online');
  connectors
    .command('test')
    .description('try every guarantee of the protocol with a connector in a test set-up')
    .argument('<url>', 'its address', addressIn)
    .option('--secret <secret>', 'its secret; two, separated by a comma, while they rotate')
    .option('--listen <place>', 'HOST:PORT to hear its notices at, as the service would', placeIn)
    .option('--patience <seconds>', 'how long to wait for what settles by itself', secondsIn, 30)
    .option('--json', 'as JSON')
    .action(test);
}
