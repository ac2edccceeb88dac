import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiCall, pathOf } from '../../src/accounts/calls/call.ts';
import {
  type CallFilters,
  type CallPlace,
  createCallLog,
  findCalls,
} from '../../src/accounts/index.ts';
import type { Clock } from '../../src/platform/clocks.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

test.each([
  ['/payment-request/12', '/payment-request/12'],
  [
    '/payment-request?state=paid&payer_name=Ana%20P%C3%A9rez',
    '/payment-request?state=&payer_name=',
  ],
  ['/payment-request?state=paid&state=pending', '/payment-request?state='],
  ['/new-transaction?data=000201010211', '/new-transaction?data='],
  ['/payment-request?4509953566233704', '/payment-request'],
  ['/payment-request?4509953566233704=1&Ana=2&=3&&page=1', '/payment-request?page='],
  ['/card-adhesion/4509953566233704', '/card-adhesion/…'],
  ['/payment-request?', '/payment-request'],
])('logs %s as %s', (url, kept) => expect(pathOf(url)).toBe(kept));

test('shortens a long path to 200 characters, and a repeated query name to one', () => {
  expect(pathOf(`/${'a'.repeat(10_000)}`)).toHaveLength(200);
  expect(pathOf(`/a?${'page=1&'.repeat(100_000)}`)).toBe('/a?page=');
});

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
});
afterAll(() => service.stop());

const none: CallFilters = {
  text: null,
  method: null,
  status: null,
  keyId: null,
  from: null,
  before: null,
  slowerThanMs: null,
};
const find = (
  filters: Partial<CallFilters> = {},
  { accountId = testAccount, after = null as CallPlace | null, limit = 100 } = {},
) => findCalls(service.sql, accountId, { ...none, ...filters }, { after, limit });
const flush = () => service.service.parts.calls.flush();

describe('the call log of an account', () => {
  const seen: Record<string, string> = {};

  beforeAll(async () => {
    const { call } = service;
    const created = await call('POST', '/payment-request', { body: paymentRequestBody(service) });
    const secret = 'secreto de ana';
    const answers = {
      created,
      read: await call('GET', `/payment-request/${created.body.id}?detail_retentions=true`),
      refused: await call('POST', '/payment-request', { body: { payment_request: { secret } } }),
      missing: await call('GET', '/payment-request/999999'),
      listed: await call('GET', `/payment-request?payer_name=${encodeURIComponent(secret)}`),
    };
    for (const [name, answer] of Object.entries(answers)) {
      seen[name] = answer.headers.get('request-id') ?? '';
    }
    await call('GET', '/payment-request/1', { key: 'rk_test_nobody_has_this_one' });
    await call('GET', '/status', { key: null });
    await flush();
  });

  test('lists each HTTP call with a key once, newest first, with its method and status', async () => {
    const { calls, leftOut } = await find();
    expect(leftOut).toBe(0);
    expect(calls.map(({ requestId }) => requestId)).toEqual(
      [seen.listed, seen.missing, seen.refused, seen.read, seen.created].map((id) => id),
    );
    expect(calls.map(({ method, status }) => `${method} ${status}`)).toEqual([
      'GET 200',
      'GET 404',
      'POST 400',
      'GET 200',
      'POST 201',
    ]);
    expect(calls[3]?.path).toMatch(/^\/payment-request\/\d+\?detail_retentions=$/);
    expect(calls[0]?.key).toMatchObject({ prefix: expect.stringMatching(/^test-key/) });
    expect(calls.every(({ ms }) => ms >= 0)).toBe(true);
  });

  test('contains no bodies, query values or keys', async () => {
    const rows = await service.sql`select * from api_calls`;
    const text = JSON.stringify(rows);
    expect(text).not.toMatch(/secreto|Ana|detail_retentions=true|test-key/i);
    expect(rows.length).toBe(5);
  });

  test.each<[string, () => Partial<CallFilters>, () => (string | undefined)[]]>([
    ['part of the path', () => ({ text: '/999999' }), () => [seen.missing]],
    ['a Request-Id', () => ({ text: seen.refused ?? '' }), () => [seen.refused]],
    ['the method', () => ({ method: 'POST' }), () => [seen.refused, seen.created]],
    ['a status', () => ({ status: [404, 404] }), () => [seen.missing]],
    ['a status class', () => ({ status: [400, 499] }), () => [seen.missing, seen.refused]],
    ['a key that made no calls', () => ({ keyId: 1 }), () => []],
    ['a minimum duration', () => ({ slowerThanMs: 60_000 }), () => []],
    [
      'a time before any call',
      () => ({ before: Temporal.Instant.from('2020-01-01T00:00Z') }),
      () => [],
    ],
    ['a percent sign, which is no wildcard', () => ({ text: '%' }), () => []],
  ])('filters calls by %s', async (_what, filters, wanted) => {
    const { calls } = await find(filters());
    expect(calls.map(({ requestId }) => requestId)).toEqual(wanted());
  });

  test('lists calls page by page without gaps, and hides those of other accounts', async () => {
    const pages = [];
    let after: CallPlace | null = null;
    for (;;) {
      const { calls }: Awaited<ReturnType<typeof find>> = await find({}, { after, limit: 2 });
      pages.push(calls.map(({ requestId }) => requestId));
      after = calls.at(-1) ?? null;
      if (!after) break;
    }
    expect(pages).toEqual([
      [seen.listed, seen.missing],
      [seen.refused, seen.read],
      [seen.created],
      [],
    ]);
    expect((await find({}, { accountId: 'B1B2C3D4' })).calls).toEqual([]);
  });
});

describe('the call log under load', () => {
  let nowMs = Date.parse('2026-11-22T12:00:30Z');
  const clock: Clock = {
    now: () => Temporal.Instant.fromEpochMilliseconds(nowMs),
    nowMs: () => nowMs,
  };
  let told = 0;
  const logOn = () =>
    createCallLog(service.sql, clock, (calls) => {
      told += calls;
    });
  const callOf = (accountId: string, status = 200): ApiCall => ({
    accountId,
    atMs: nowMs,
    requestId: crypto.randomUUID(),
    method: 'GET',
    path: '/a\\b',
    status,
    ms: 1,
    keyId: null,
  });
  const count = async (accountId: string): Promise<number> =>
    (await find({}, { accountId, limit: 200_000 })).calls.length;

  test('reserves room for other accounts and for failures, and counts omitted calls', async () => {
    const log = logOn();
    for (let no = 0; no < 10_000; no += 1) log.note(callOf('10000000'));
    for (let no = 0; no < 150; no += 1) log.note(callOf('10000000', 500));
    for (let no = 0; no < 5; no += 1) log.note(callOf('20000000'));
    await log.flush();
    expect(await count('10000000')).toBe(300);
    expect((await find({ status: [500, 599] }, { accountId: '10000000' })).calls).toHaveLength(100);
    expect((await find({}, { accountId: '10000000' })).leftOut).toBe(9_850);
    expect(told).toBe(9_850);
    expect(await count('20000000')).toBe(5);
    // The earlier period omitted nothing.
    const before = clock.now().subtract({ hours: 1 });
    expect((await find({ before }, { accountId: '10000000' })).leftOut).toBe(0);
    await log.flush();
    expect(await count('10000000')).toBe(300);
  });

  test('counts calls that the database refused to store as omitted', async () => {
    const log = logOn();
    log.note(callOf('30000000'));
    log.note({ ...callOf('30000000'), status: 99_999 });
    await expect(log.flush()).rejects.toThrow();
    log.note(callOf('30000000'));
    await log.flush();
    expect(await count('30000000')).toBe(1);
    expect((await find({}, { accountId: '30000000' })).leftOut).toBe(2);
  });

  test('keeps the newest hundred thousand calls of an account, for fourteen days', async () => {
    await service.sql`
      insert into api_calls (account_id, at, request_id, method, path, status, ms)
      select '40000000', ${clock.now()}::timestamptz - make_interval(secs => no),
        gen_random_uuid(), 'GET', '/', 200, 1 from generate_series(1, 100010) as no`;
    await service.sql`
      insert into accounts (id, name, cuit, city, created_at)
      select '40000000', name, cuit, city, created_at from accounts where id = ${testAccount}`;
    const log = logOn();
    log.note(callOf('40000000'));
    await log.flush();
    await log.clear();
    expect(await count('40000000')).toBe(100_000);
    expect((await find({}, { accountId: '40000000', limit: 1 })).calls[0]?.at).toEqual(clock.now());
    nowMs += 14 * 24 * 3_600_000;
    await log.clear();
    expect(await count('40000000')).toBe(1);
    nowMs += 1;
    await log.clear();
    expect(await count('40000000')).toBe(0);
  });
});
