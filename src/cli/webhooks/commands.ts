import { createHmac } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { eventTypes } from '../../events/index.ts';
import { withoutSlashes } from '../../kernel/text.ts';
import {
  deliveryList,
  eventResending,
  webhookEditing,
  webhookList,
  webhookRotating,
} from '../../webhooks/operations.ts';
import { invocation } from '../invocation.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';
import { print } from '../print.ts';
import type { FeedEvent, Forwarded } from './listen.ts';

interface ListenOptions {
  api: string;
  key?: string;
  forward?: string;
  types?: string[];
  json?: boolean;
}

const urlIn = (text: string): string => {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw new InvalidArgumentError(
    'This value must be an address that begins with http:// or https://.',
  );
};

const originIn = (text: string): string => withoutSlashes(urlIn(text));

function typesIn(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  const known = eventTypes.map(({ name }) => name as string);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return names;
  throw new InvalidArgumentError(`This value must be a list of event types: ${known.join(', ')}.`);
}

/** Derives the same secret for a key at every start, so that a receiver is configured once. */
const secretFor = (key: string): string =>
  `whsec_${createHmac('sha256', key).update('webhooks listen').digest('base64')}`;

const resultText = (result: Forwarded | null): string => {
  if (result === null) return '';
  const how = 'status' in result ? result.status : `not received: ${result.error}`;
  return `  -> ${how} in ${result.ms} ms`;
};

function show(event: FeedEvent, result: Forwarded | null, { json = false }: ListenOptions): void {
  const { created_at, type, entity_id, id } = event;
  const text = `${created_at}  ${type} ${entity_id}  event ${id}${resultText(result)}`;
  print(text, { ...event, ...(result && { forwarded: result }) }, { json });
}

async function listen(key: string, options: ListenOptions): Promise<void> {
  const { api, forward: url, types } = options;
  const { stderr } = invocation();
  const say = (text: string): void => void stderr.write(`${text}\n`);
  const signal = invocation().untilStopped();
  const secret = secretFor(key);
  const feed = {
    api,
    key,
    signal,
    onStart: () => say(`listening to ${api}${url ? `, forwarding to ${url}` : ''}; Ctrl-C ends`),
    onReach: (reachable: boolean) =>
      say(reachable ? `${api} is back` : `${api} is unreachable; retrying`),
  };
  const { follow, forward } = await import('./listen.ts');
  if (url) say(`secret ${secret}`);
  for await (const event of follow(feed)) {
    if (signal.aborted) return;
    if (types && !types.includes(event.type)) continue;
    show(event, url ? await forward(url, event, secret, signal) : null, options);
  }
}

export function webhookCommands(webhooks: Command): void {
  listCommand(webhooks, webhookList);
  operationCommand(webhooks, webhookRotating, async ({ config, base }) => {
    const [{ configuredKeyRing }, { createSecrets, rotateSecret }] = await Promise.all([
      import('../../composition/keys.ts'),
      import('../../webhooks/index.ts'),
    ]);
    const ring = await configuredKeyRing(config, base, 'webhooks');
    const parts = { secrets: createSecrets(ring), refreshKeys: ring.refresh };
    return rotateSecret(base, parts);
  });
  operationCommand(webhooks, webhookEditing, async ({ config, base }) => {
    const [{ webhookTermsOf }, { createGuard, editWebhook, resolverFor }] = await Promise.all([
      import('../../composition/terms.ts'),
      import('../../webhooks/index.ts'),
    ]);
    const { production, reach } = webhookTermsOf(config);
    return editWebhook(base, { guard: createGuard(production, resolverFor(reach), reach) });
  });
  listCommand(webhooks, deliveryList);
  operationCommand(webhooks, eventResending, ({ base }) => base);

  const listening = webhooks
    .command('listen')
    .description('show events as they happen, and forward them, signed, to your address')
    .option('--forward <url>', 'the address that receives each event', urlIn)
    .option('--api <url>', 'the service', originIn, 'http://127.0.0.1:8360')
    .option('--key <key>', 'an API key (default: RECAUDO_API_KEY)')
    .option('--types <list>', 'only these event types, separated by commas', typesIn)
    .option('--json', 'one JSON object per line')
    .action((options: ListenOptions) => {
      const key = options.key ?? invocation().env.RECAUDO_API_KEY;
      return key
        ? listen(key, options)
        : listening.error('error: give an API key with --key or in RECAUDO_API_KEY');
    });
}
