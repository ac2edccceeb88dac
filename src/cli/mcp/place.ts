import { InvalidArgumentError } from 'commander';

export interface Place {
  url: string;
  key: string;
  /** True for production. */
  live: boolean;
}

const localSandbox = 'http://127.0.0.1:8360';
const patienceMs = 10_000;

/** Reads RECAUDO_URL and RECAUDO_KEY. Errors never contain any part of the key. */
export function placeIn(env: NodeJS.ProcessEnv, live: boolean): Place {
  const url = URL.parse(env.RECAUDO_URL ?? localSandbox);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw new InvalidArgumentError(
      `RECAUDO_URL must be the address of a service, such as ${localSandbox}.`,
    );
  }
  const key = env.RECAUDO_KEY ?? '';
  if (!/^[!-~]+$/.test(key)) {
    throw new InvalidArgumentError('RECAUDO_KEY must be an API key, without spaces.');
  }
  if (key.startsWith('rk_live_') && !live) {
    throw new InvalidArgumentError(
      'RECAUDO_KEY is a production key. Use a sandbox key, or allow real money with --live.',
    );
  }
  return { url: url.origin + url.pathname.replace(/\/$/, ''), key, live };
}

async function environmentOf(url: string): Promise<unknown> {
  const response = await fetch(`${url}/status`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
  });
  const body: unknown = await response.json();
  const isOurs = typeof body === 'object' && body !== null && 'environment' in body;
  return isOurs ? body.environment : undefined;
}

/**
 * Returns a check that throws unless the service is a sandbox, or `live` is set. Asks the service
 * without the key, until it first confirms.
 */
export function sandboxGuard({ url, live }: Place): () => Promise<void> {
  let isSandbox = live;
  return async () => {
    if (isSandbox) return;
    const environment = await environmentOf(url).catch(() => {
      throw new Error(`${url} is not a Recaudo service: its answer to GET /status differs.`);
    });
    if (environment !== 'sandbox') {
      throw new Error(
        `${url} is not a sandbox. Restart this server with --live to work in production.`,
      );
    }
    isSandbox = true;
  };
}
