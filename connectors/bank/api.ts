import { Agent, request } from 'undici';
import { NeverSent } from '../protocol/connector.ts';
import type { BankConfig } from './config.ts';
import { type ListWindow, listHeaders } from './lists.ts';

export interface Answered {
  status: number;
  /** Undefined if the body is not JSON. */
  body: unknown;
}
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
interface Sent {
  method: Method;
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

export interface Api {
  /** Calls a path under the collecting account. */
  call: (
    method: Method,
    path: string,
    body: object | null,
    signal: AbortSignal,
  ) => Promise<Answered>;
  /** Returns one page of a list. Pages count from 1. */
  page: (path: string, window: ListWindow, page: number, signal: AbortSignal) => Promise<unknown[]>;
  /** Registers the webhook address. The bank calls the address before it answers. */
  listenAt: (url: string) => Promise<void>;
}

const answersWithinMs = 30_000;
const unreachable = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT)/;
/** Tokens are renewed this long before they expire. */
const spareMs = 60_000;
const listening = { code: 'recaudo', description: 'Recaudo', enabled: true, events: ['ALL'] };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Returns the bank's error code, or null if the body has none. */
export const codeOf = (body: unknown): string | null => {
  const code = isObject(body) ? body.code : null;
  return typeof code === 'string' && code !== '' ? code.slice(0, 32) : null;
};

const isStale = ({ status, body }: Answered): boolean =>
  status === 401 || (status === 409 && codeOf(body) === 'GE401');

/** Calls the bank, renewing the token before it expires. */
export function createApi(config: BankConfig): Api {
  const { url, username, password, account, tls } = config;
  const dispatcher = new Agent({
    connections: 32,
    connect: { timeout: 5_000, ...tls },
    maxResponseSize: 4 * 1024 * 1024,
  });
  let token: { text: string; until: number } | null = null;

  async function send({ method, path, body, headers }: Sent, signal: AbortSignal) {
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.any([signal, AbortSignal.timeout(answersWithinMs)]),
    });
    return { status: answer.statusCode, body: parsed(await answer.body.text()) };
  }

  /** Returns the authorization header. If this fails, no order was sent. */
  async function authorization(signal: AbortSignal): Promise<string> {
    if (token && token.until > Date.now()) return `JWT ${token.text}`;
    const body = { username, password };
    const login = await send({ method: 'POST', path: '/login/jwt', body }, signal).catch(
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

  /**
   * Sends a call with a token, and drops a stale one. Then repeats the call once after a 401, but
   * after GE401 only a GET, because the bank may have taken an order.
   */
  async function authorized(sent: Sent, signal: AbortSignal): Promise<Answered> {
    const withToken = async () => ({
      ...sent,
      headers: { ...sent.headers, authorization: await authorization(signal) },
    });
    const first = await withToken();
    try {
      const answered = await send(first, signal);
      if (!isStale(answered)) return answered;
      token = null;
      const isSafe = sent.method === 'GET' || answered.status === 401;
      return isSafe ? await send(await withToken(), signal) : answered;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (unreachable.test(code)) throw new NeverSent(`The bank is away: ${code}.`);
      throw error;
    }
  }

  const root = `/banks/322/accounts/${account}/owner`;
  return {
    call: (method, path, body, signal) =>
      authorized({ method, path: `${root}${path}`, ...(body && { body }) }, signal),
    page: async (path, window, page, signal) => {
      const headers = listHeaders(window, page);
      const sent: Sent = { method: 'GET', path: `${root}${path}`, headers };
      const { status, body } = await authorized(sent, signal);
      if (status === 200 && Array.isArray(body)) return body;
      throw new Error(`The bank answered a list with ${status} ${codeOf(body) ?? ''}.`);
    },
    listenAt: async (address) => {
      const sent: Sent = { method: 'PUT', path: '/webhooks', body: { url: address, ...listening } };
      const { status, body } = await authorized(sent, AbortSignal.timeout(answersWithinMs));
      if (status === 200 && !(isObject(body) && body.saved === false)) return;
      const why = isObject(body) ? String(body.error_description ?? codeOf(body) ?? '') : '';
      throw new Error(`The bank did not accept the address for notices: ${status} ${why}`.trim());
    },
  };
}
