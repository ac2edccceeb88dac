import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { recaudo, recaudoProcess } from '../cli/run.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { asSuperuser, createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type FaultProxy, openProxy } from '../harness/proxy.ts';
import { type Answer, startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

vi.setConfig({ testTimeout: 90_000 });

let database: TestDatabase;
let proxy: FaultProxy;
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openProxy(database.url);
  service = await startService({ DATABASE_URL: proxy.url, ...withoutWorker });
});
afterAll(async () => {
  await service.stop();
  await proxy.close();
  await database.drop();
});
afterEach(async () => {
  proxy.behave('pass');
  proxy.cutAfter(Number.POSITIVE_INFINITY);
  await vi.waitFor(
    async () => expect((await service.call('GET', '/readyz', { key: null })).status).toBe(200),
    { timeout: 20_000 },
  );
});

/** Bodies by key, because a call repeated on the next day must have the same body. */
const bodies = new Map<string, Record<string, unknown>>();
const bodyOf = (reference: string): Record<string, unknown> => {
  const body =
    bodies.get(reference) ?? paymentRequestBody(service, { external_reference: reference });
  bodies.set(reference, body);
  return body;
};

const create = (reference: string): Promise<Answer> =>
  service.call('POST', '/payment-request', {
    body: bodyOf(reference),
    headers: { 'idempotency-key': reference },
  });

const stored = async (reference: string): Promise<number> =>
  (await database.sql`select 1 from requests where reference = ${reference}`).length;

const ask = (): Promise<Answer>[] => [
  service.call('GET', '/readyz', { key: null }),
  service.call('GET', '/account/balances'),
  service.call('GET', '/payment-request'),
];

test('answers every call as safe to retry when the database hangs up', async () => {
  expect((await create('warm')).status).toBe(201);
  proxy.behave('hang up');
  proxy.cut('end');
  const before = proxy.accepted();
  const answers = await Promise.all([...ask(), ...ask(), create('hung up'), create('hung up too')]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
  for (const { body } of answers) expect(body.message).toMatch(/Nothing was done: it is safe/);
  // A few attempts for the calls, and those of the listening connection.
  expect(proxy.accepted() - before).toBeLessThan(60);
  proxy.behave('pass');
  await vi.waitFor(async () => expect((await create('hung up')).status).toBe(201), {
    timeout: 20_000,
  });
  expect(await stored('hung up')).toBe(1);
});

test('answers every call with 503 when the database is silent', async () => {
  expect((await create('warm')).status).toBe(201);
  proxy.behave('silent');
  const answers = await Promise.all(ask());
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
  for (const { body } of answers.slice(1)) expect(body.message).toMatch(/safe to retry/);
});

test('reports a write with a lost answer as unknown, and performs it once when it is repeated', async () => {
  expect((await create('warm')).status).toBe(201);
  proxy.cutAfter(1);
  const answer = await create('cut off');
  expect(answer.status).toBe(503);
  expect(answer.body.message).toMatch(/its outcome is unknown.*same Idempotency-Key/);
  proxy.cutAfter(Number.POSITIVE_INFINITY);
  await vi.waitFor(async () => expect((await create('cut off')).status).toBe(201), {
    timeout: 20_000,
  });
  expect(await stored('cut off')).toBe(1);
});

const primary = /takes no writes.*DATABASE_URL.*has to lead to the primary/;

/**
 * Makes the database read-only or writable again. Managed servers with a full disk and unpromoted
 * standbys are read-only.
 */
const readOnly = async (on: boolean): Promise<void> => {
  const name = new URL(database.url).pathname.slice(1);
  await asSuperuser(`alter database ${name} set default_transaction_read_only = ${on}`);
  // Open sessions would keep their initial setting.
  proxy.cut('end');
};

test('serves reads, and refuses writes and new starts, while the database is read-only', async () => {
  expect((await create('warm')).status).toBe(201);
  await readOnly(true);
  try {
    await vi.waitFor(async () => {
      const { status, body } = await create('not written');
      expect([status, body.message]).toEqual([503, expect.stringContaining('is read-only')]);
    });
    const { headers, body } = await create('not written either');
    expect(headers.get('retry-after')).toBe('1');
    expect(body.message).toMatch(/Nothing was done: it is safe/);
    expect((await service.call('GET', '/payment-request')).status).toBe(200);
    const address = { DATABASE_URL: database.url };
    const start = await recaudoProcess(['serve'], { ...address, PORT: '0', METRICS_PORT: '0' });
    expect([start.code, start.stdout + start.stderr]).toEqual([1, expect.stringMatching(primary)]);
    const looked = await recaudo(['doctor', '--json'], address);
    expect([looked.code, JSON.parse(looked.stdout)]).toEqual([
      1,
      expect.arrayContaining([
        expect.objectContaining({
          what: 'database',
          state: 'broken',
          found: expect.stringMatching(primary),
        }),
      ]),
    ]);
  } finally {
    await readOnly(false);
  }
  await vi.waitFor(async () => expect((await create('not written')).status).toBe(201), {
    timeout: 20_000,
  });
  expect(await stored('not written')).toBe(1);
});
