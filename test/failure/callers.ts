import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { expect, vi } from 'vitest';
import { call, testKey } from '../harness/service.ts';

/** A response to a caller during a failure. */

export interface Heard {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests check
  body: any;
}

export interface CallAnew {
  body?: unknown;
  key?: string;
  headers?: object;
}

/** Sends a call on a new connection, which any of the processes may accept. */
export function callAnewAt(
  origin: string,
  method: string,
  path: string,
  { body, key = testKey, headers = {} }: CallAnew = {},
): Promise<Heard> {
  const sent = body === undefined ? '' : JSON.stringify(body);
  const { promise, resolve, reject } = Promise.withResolvers<Heard>();
  const asked = request(
    `${origin}${path}`,
    {
      method,
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        ...(sent !== '' && { 'content-type': 'application/json' }),
        ...headers,
      },
    },
    async (answer) => {
      let text = '';
      for await (const piece of answer) text += piece;
      resolve({ status: answer.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) });
    },
  );
  asked.once('error', reject);
  asked.end(sent);
  return promise;
}

export const many = <T>(count: number, make: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_none, turn) => make(turn)));

/** Returns the ids of a process's running children, sorted. */
export async function childrenOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (Number(parent) === pid && state !== 'Z') found.push(Number(name));
  }
  return found.sort((a, b) => a - b);
}

/** Makes a primary replace both of its processes, and waits for the new ones. */
export async function replaceBoth(primary: number): Promise<void> {
  const before = await childrenOf(primary);
  process.kill(primary, 'SIGHUP');
  await newChildren(primary, before);
}

/** Waits until a primary has two processes, none of them among `before`. */
export async function newChildren(primary: number, before: readonly number[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const now = await childrenOf(primary);
      expect(now).toHaveLength(2);
      expect(now.filter((pid) => before.includes(pid))).toEqual([]);
    },
    { timeout: 80_000, interval: 200 },
  );
}

export const bodyOf = (reference: string) => ({
  payment_request: {
    description: 'Cuota',
    first_due_date: '31-12-2098',
    first_total: 10.5,
    payer_name: 'Ana',
    external_reference: reference,
  },
});

export interface Load {
  stop(): Promise<{ answered: number; odd: unknown[] }>;
}

/**
 * Starts four callers that send one call after another until stopped: each creates a request, pays
 * it in the sandbox, and reads the balances on a new connection. `odd` has every error, and every
 * response except 200 and 201.
 */
export function startLoad(origin: string): Load {
  let over = false;
  let answered = 0;
  const odd: unknown[] = [];
  const heard = async (asked: Promise<Heard>): Promise<Heard | null> => {
    const answer = await asked.catch((error: unknown) => error as Error);
    if (answer instanceof Error) odd.push(`${answer.message} ${answer.cause ?? ''}`);
    else if (answer.status === 200 || answer.status === 201) answered += 1;
    else odd.push(answer.body);
    return answer instanceof Error ? null : answer;
  };
  const turn = async (caller: number): Promise<void> => {
    const body = bodyOf(`roll ${caller}`);
    const made = await heard(call(origin, 'POST', '/payment-request', { body }));
    const channel = { channel: 'credit_card' };
    await heard(call(origin, 'POST', `/sandbox/pay/${made?.body.id}`, { body: channel }));
    await heard(callAnewAt(origin, 'GET', '/account/balances'));
  };
  const callers = many(4, async (caller) => {
    while (!over) await turn(caller);
  });
  return {
    async stop() {
      over = true;
      await callers;
      return { answered, odd };
    },
  };
}
