import { Agent, request } from 'undici';
import { NeverSent } from '../protocol/connector.ts';
import type { BankConfig } from './config.ts';

export interface Answered {
  status: number;
  /** Undefined where it is no JSON. */
  body: unknown;
}
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Api {
  /** Calls below the collecting account. */
  call: (
    method: Method,
    path: string,
    body: object | null,
    signal: AbortSignal,
  ) => Promise<Answered>;
  /** Says where the bank tells what happens. */
  listenAt: (url: string) => Promise<void>;
}

const answersWithinMs = 30_000;
const unreachable = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT)/;
/** A token is asked for anew some time before it ends. */
const spareMs = 60_000;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Calls to the bank, with a token that is renewed before it ends. */
export function createApi(config: BankConfig): Api {
  const { url, username, password, account, tls } = config;
  const dispatcher = new Agent({
    connections: 32,
    connect: { timeout: 5_000, ...tls },
    maxResponseSize: 4 * 1024 * 1024,
  });
  let token: { text: string; until: number } | null = null;

  async function send(
    method: Method,
    path: string,
    body: object | null,
    signal: AbortSignal,
    authorization: string | null,
  ): Promise<Answered> {
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(authorization && { authorization }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(answersWithinMs)]),
    });
    return { status: answer.statusCode, body: parsed(await answer.body.text()) };
  }

  /** Whatever fails here, no order was sent. */
  async function authorization(signal: AbortSignal): Promise<string> {
    if (token && token.until > Date.now()) return `JWT ${token.text}`;
    const login = await send('POST', '/login/jwt', { username, password }, signal, null).catch(
      (error: unknown) => {
        throw new NeverSent(`The bank cannot be reached: ${String(error)}`);
      },
    );
    const { token: text, expires_in: seconds } = isObject(login.body) ? login.body : {};
    if (login.status !== 200 || typeof text !== 'string') {
      const alarm = `The bank answered ${login.status} to the log-in: are user and password right?`;
      throw new NeverSent(alarm, { alarm });
    }
    token = { text, until: Date.now() + 1000 * Number(seconds ?? 0) - spareMs };
    return `JWT ${text}`;
  }

  async function authorized(
    method: Method,
    path: string,
    body: object | null,
    signal: AbortSignal,
  ): Promise<Answered> {
    const first = await authorization(signal);
    try {
      const answered = await send(method, path, body, signal, first);
      // A token that the bank forgot: nothing was done, and a new one is asked for once.
      if (answered.status !== 401) return answered;
      token = null;
      return await send(method, path, body, signal, await authorization(signal));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (unreachable.test(code)) throw new NeverSent(`The bank is away: ${code}.`);
      throw error;
    }
  }

  return {
    call: (method, path, body, signal) =>
      authorized(method, `/banks/322/accounts/${account}/owner${path}`, body, signal),
    listenAt: async (address) => {
      const body = { url: address, code: 'recaudo', enabled: true, events: ['ALL'] };
      const { status } = await authorized('PUT', '/webhooks', body, AbortSignal.timeout(30_000));
      if (status !== 200) throw new Error(`The bank answered ${status} to the address of notices.`);
    },
  };
}
