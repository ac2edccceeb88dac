import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../src/platform/http/free-port.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { startService, type TestService, testAccount, testKey } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { register } from '../webhooks/account.ts';
import { openReceiver, type Receiver, status } from '../webhooks/receiver.ts';
import { recaudo, startRecaudo } from './run.ts';

// Each `webhooks listen` is a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Provides the database, on which services restart at one address. */
let keeper: TestService;
let port: number;
let api: string;
let receiver: Receiver;
beforeAll(async () => {
  keeper = await startService(withoutWorker);
  port = await freePort('127.0.0.1');
  api = `http://127.0.0.1:${port}`;
});
afterAll(() => keeper.stop());
beforeEach(async () => {
  receiver = await openReceiver();
  return () => receiver.close();
});

const startAgain = () => startService({ DATABASE_URL: keeper.databaseUrl, PORT: String(port) });

async function pay(service: TestService): Promise<number> {
  const body = paymentRequestBody(service, { external_reference: 'Ñandú' });
  const { id } = (await service.call('POST', '/payment-request', { body })).body;
  expect((await service.call('POST', `/sandbox/pay/${id}`)).status).toBe(200);
  return id;
}

/** Starts `webhooks listen` as a process and collects its output. */
function listen(...args: string[]) {
  const { child, ran } = startRecaudo(['webhooks', 'listen', '--api', api, ...args], {
    RECAUDO_API_KEY: testKey,
  });
  const closed = once(child, 'close');
  return {
    ran,
    said: (text: string) =>
      vi.waitFor(() => expect(ran.stderr + ran.stdout).toContain(text), {
        timeout: 20_000,
        interval: 20,
      }),
    lines: () => ran.stdout.split('\n').filter((line) => line !== ''),
    async end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}

test('forwards each event signed, across restarts of the service, and exits cleanly', async () => {
  const service = await startAgain();
  const before = await pay(service);
  await vi.waitFor(async () => {
    expect((await service.call('GET', '/event')).body.data).toHaveLength(1);
  });
  const listening = listen('--forward', receiver.url);
  await listening.said(`listening to ${api}, forwarding to ${receiver.url}`);
  const secret = /secret (whsec_\S+)/.exec(listening.ran.stderr)?.[1] ?? '';

  const one = await pay(service);
  await listening.said(`payment_request.paid ${one}`);
  receiver.answer(status(503));
  const two = await pay(service);
  await listening.said(`payment_request.paid ${two}`);
  await service.stop();
  await listening.said(`${api} is unreachable; retrying`);
  const again = await startAgain();
  await listening.said(`${api} is back`);
  receiver.answer(status(200));
  const three = await pay(again);
  await listening.said(`payment_request.paid ${three}`);

  expect(listening.lines()).toEqual([
    expect.stringMatching(new RegExp(`paid ${one}  event \\d+  -> 204 in \\d+ ms$`)),
    expect.stringMatching(new RegExp(`paid ${two}  event \\d+  -> 503 in \\d+ ms$`)),
    expect.stringMatching(new RegExp(`paid ${three}  event \\d+  -> 200 in \\d+ ms$`)),
  ]);
  const feed = (await again.call('GET', '/event')).body.data.slice(1);
  expect(before).not.toBe(one);
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
    feed.map((event: { id: number }) => `evt_${event.id}`),
  );
  receiver.received.forEach(({ body, headers }, at) => {
    const { id: _id, position: _position, ...shown } = feed[at];
    const event = { ...shown, type: shown.event_type.split('.')[1] };
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
    expect(body).toBe(JSON.stringify(event));
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });
  expect(await listening.end('SIGINT')).toBe(0);
  await again.stop();
});

test('prints an object per line with --json, and only the chosen types with --types', async () => {
  const service = await startAgain();
  const nobody = `http://127.0.0.1:${await freePort('127.0.0.1')}/`;
  const all = listen('--json', '--key', testKey, '--forward', nobody);
  const refunds = listen('--json', '--types', 'payment_request.refunded,qr.refunded');
  await Promise.all([all, refunds].map((one) => one.said(`listening to ${api}`)));
  const id = await pay(service);
  await all.said('payment_request.paid');
  await service.call('POST', `/sandbox/refund/${id}`);
  await Promise.all([all, refunds].map((one) => one.said('payment_request.refunded')));
  const [paid, refunded] = all.lines().map((line) => JSON.parse(line));
  expect(paid).toMatchObject({ type: 'payment_request.paid', entity_id: id });
  expect(paid.forwarded).toEqual({
    error: expect.stringContaining('ECONNREFUSED'),
    ms: expect.any(Number),
  });
  const { forwarded: _forwarded, ...event } = refunded;
  expect(refunds.lines().map((line) => JSON.parse(line))).toEqual([event]);
  const secrets = [all, refunds].map(({ ran }) => /secret (\S+)/.exec(ran.stderr)?.[1]);
  expect(secrets).toEqual([expect.stringMatching(/^whsec_/), undefined]);
  expect(await Promise.all([all.end('SIGTERM'), refunds.end('SIGINT')])).toEqual([0, 0]);
  await service.stop();
});

test('explains failures, and exits 1 for a refused key and 2 for misuse', async () => {
  const service = await startAgain();
  const run = (...args: string[]) => recaudo(['webhooks', 'listen', ...args], {});
  const [key, none, types, url] = await Promise.all([
    run('--api', api, '--key', 'rk_test_unknown'),
    run('--api', api),
    run('--key', testKey, '--types', 'payment_request.paid,paid'),
    run('--key', testKey, '--forward', 'localhost:3000'),
  ]);
  expect([key.code, none.code, types.code, url.code]).toEqual([1, 2, 2, 2]);
  expect(key.stderr).toContain(`${api} answers 401: `);
  expect(none.stderr).toContain('RECAUDO_API_KEY');
  expect(types.stderr).toContain('payment_request.expired');
  expect(url.stderr).toContain('http://');
  await service.stop();
});

test('lists an account’s webhooks without secrets', async () => {
  const { id, secret } = await register(keeper, testKey, receiver.url, [3, 1]);
  const run = (...args: string[]) =>
    recaudo(['webhooks', 'list', '--account', testAccount, ...args], {
      DATABASE_URL: keeper.databaseUrl,
    });
  const [json, table] = await Promise.all([run('--json'), run()]);
  expect([json.code, table.code]).toEqual([0, 0]);
  expect(JSON.parse(json.stdout)).toEqual([
    {
      id,
      url: receiver.url,
      events: 'payment_request.paid,payment_request.expired',
      created_at: expect.stringMatching(/-03:00$/),
    },
  ]);
  expect(table.stdout).toMatch(/^id +url +events +created_at\n/);
  expect(json.stdout + table.stdout).not.toContain(secret);
});
