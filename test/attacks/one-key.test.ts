import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTurns } from '../../src/platform/http/turns.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { startService, type TestService, testKey } from '../harness/service.ts';

describe('concurrent calls of one account', () => {
  let service: TestService;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    service = await startService({ ROLES: 'payments', CALLS_AT_ONCE: '8', BODY_SECONDS: '600' });
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await service.stop();
  });

  /**
   * Starts a call whose body never arrives. It lasts until it is answered or the caller hangs up.
   */
  async function hold(): Promise<void> {
    const { hostname, port } = new URL(service.origin);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(
      `POST /payment-request HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    );
    sockets.push(socket);
    // A refused call no longer counts as open.
    socket.once('data', () => sockets.splice(sockets.indexOf(socket), 1));
  }

  test('answers 429 above an account’s limit of concurrent calls, and still serves other accounts', async () => {
    const other = await anotherAccount(service);
    const refused = await vi.waitFor(async () => {
      await Promise.all(Array.from({ length: 8 - sockets.length }, hold));
      const answer = await service.call('GET', '/account');
      expect(answer.status).toBe(429);
      return answer;
    });
    expect(refused.body.message).toContain('has 8 calls in progress');
    expect(refused.headers.get('retry-after')).toBe('1');
    const { status } = await service.call('GET', '/account', { key: other.key });
    expect(status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect((await service.call('GET', '/account')).status).toBe(200));
  });
});

describe('lists and reports of one account', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const held = () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    return { call: () => promise, end: () => resolve('answered') };
  };

  test('runs a few lists, reports and QR batches of an account at a time, without delaying another account', async () => {
    const inTurn = createTurns(2);
    const calls = [held(), held(), held()];
    const answers = calls.map(({ call }) => inTurn('one', call));
    const begun = vi.fn(async () => 'answered');
    const last = inTurn('one', begun);
    expect(await inTurn('other', async () => 'at once')).toBe('at once');
    calls[0]?.end();
    await answers[0];
    expect(begun).not.toHaveBeenCalled();
    calls[1]?.end();
    expect(await last).toBe('answered');
    calls[2]?.end();
    await Promise.all(answers);
  });

  test('answers 429 to a list that waits too long or finds too many others waiting', async () => {
    vi.useFakeTimers();
    const inTurn = createTurns(1);
    const first = held();
    const answer = inTurn('one', first.call);
    const waiting = Array.from({ length: 200 }, () =>
      inTurn('one', async () => 'answered').catch((error: unknown) => error),
    );
    const refusal = { kind: 'too_many_requests', retryAfterSeconds: 1 };
    await expect(inTurn('one', async () => 'answered')).rejects.toMatchObject(refusal);
    await vi.advanceTimersByTimeAsync(10_000);
    for (const late of await Promise.all(waiting)) expect(late).toMatchObject(refusal);
    first.end();
    await answer;
    expect(await inTurn('one', async () => 'there is room again')).toBe('there is room again');
  });

  test('releases the place of a list that fails', async () => {
    const inTurn = createTurns(1);
    const fails = () => Promise.reject(new Error('no such day'));
    await expect(inTurn('one', fails)).rejects.toThrow('no such day');
    expect(await inTurn('one', async () => 'next')).toBe('next');
  });
});
