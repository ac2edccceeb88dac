import { Agent, request } from 'undici';
import { NeverSent } from '../protocol/connector.ts';

/** The acquirer's answer: its JSON, or undefined if the body is not JSON. */
export interface Answered {
  status: number;
  body: unknown;
}

export interface Api {
  get: (path: string, signal: AbortSignal) => Promise<Answered>;
  post: (path: string, body: object, signal: AbortSignal, as?: Key) => Promise<Answered>;
  remove: (path: string, signal: AbortSignal) => Promise<Answered>;
  close: () => Promise<void>;
}
type Key = 'private' | 'public';

/** Request timeout; the acquirer takes 30 s in exceptional cases. */
const answersWithinMs = 38_000;
const mostAnswerBytes = 4 * 1024 * 1024;

/** Errors that occur before any byte is sent. */
const unreachable = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];
const misconfigured = /^(ENOTFOUND|EAI_AGAIN|ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

function sentOrNot(error: unknown): unknown {
  const code = codeOf(error);
  if (misconfigured.test(code)) {
    const alarm = `The acquirer cannot be reached by its address: ${code}.`;
    return new NeverSent(alarm, { alarm });
  }
  if (unreachable.includes(code)) return new NeverSent(`The acquirer is away: ${code}.`);
  return error;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Calls the acquirer. The private key travels in a header, so it is in no URL and no log. */
export function openApi({
  url,
  publicKey,
  privateKey,
}: {
  url: string;
  publicKey: string;
  privateKey: string;
}): Api {
  const agent = new Agent({
    connections: 64,
    connect: { timeout: 5_000 },
    headersTimeout: answersWithinMs,
    bodyTimeout: answersWithinMs,
    maxResponseSize: mostAnswerBytes,
  });

  async function call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: object | null,
    signal: AbortSignal,
    as: Key = 'private',
  ): Promise<Answered> {
    try {
      const answer = await request(`${url}${path}`, {
        method,
        dispatcher: agent,
        headers: {
          apikey: as === 'public' ? publicKey : privateKey,
          'x-consumer-username': publicKey,
          'cache-control': 'no-cache',
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(answersWithinMs)]),
      });
      return { status: answer.statusCode, body: parsed(await answer.body.text()) };
    } catch (error) {
      throw sentOrNot(error);
    }
  }

  return {
    get: (path, signal) => call('GET', path, null, signal),
    post: (path, body, signal, as) => call('POST', path, body, signal, as),
    remove: (path, signal) => call('DELETE', path, null, signal),
    close: () => agent.close(),
  };
}
