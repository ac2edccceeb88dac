import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createKey } from '../../src/accounts/index.ts';
import { channelCodes } from '../../src/money/channels/index.ts';
import type { NewPaymentRequest } from '../../src/payment-requests/create.ts';
import { paymentRequestForm } from '../../src/payment-requests/schema.ts';
import { fingerprintOf, forgetOldKeys } from '../../src/platform/idempotency.ts';
import { testOperator } from '../harness/actors.ts';
import { inDays } from '../harness/builders/clock.ts';
import { paymentRequestBody, stored } from '../harness/builders/payment-requests.ts';
import { expectError } from '../harness/errors.ts';
import { type Answer, startService, type TestService, testAccount } from '../harness/service.ts';

/** Two services on one database, which stand for two processes. */
let first: TestService;
let second: TestService;
beforeAll(async () => {
  first = await startService();
  second = await startService({ DATABASE_URL: first.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const replayed = (answer: Answer): boolean => answer.headers.get('idempotency-replayed') === 'true';

const post = (
  key: string,
  fields: Record<string, unknown> = {},
  { service = first, apiKey }: { service?: TestService; apiKey?: string } = {},
): Promise<Answer> =>
  service.call('POST', '/payment-request', {
    body: paymentRequestBody(service, fields),
    headers: { 'idempotency-key': key },
    ...(apiKey !== undefined && { key: apiKey }),
  });

const rowsOf = async (reference: string): Promise<number> => {
  const rows = await first.sql`select 1 from requests where reference = ${reference}`;
  return rows.length;
};

test('replays the first answer byte for byte for the same key and body', async () => {
  const fields = { external_reference: 'again', metadata: { n: [1.5, 'ñ'] } };
  const answer = await post('again', fields);
  expect(answer.status).toBe(201);
  expect(answer.headers.has('idempotency-replayed')).toBe(false);
  for (const service of [first, second, first]) {
    const again = await post('again', fields, { service });
    expect(again.status).toBe(201);
    expect(again.text).toBe(answer.text);
    expect(again.headers.get('content-type')).toBe(answer.headers.get('content-type'));
    expect(replayed(again)).toBe(true);
  }
  expect(await rowsOf('again')).toBe(1);
  const events = await first.sql`
    select 1 from events where entity_id = ${String(answer.body.id)}`;
  expect(events).toHaveLength(1);
});

test('answers 422 for another body under the key, valid or not, and changes nothing', async () => {
  const answer = await post('other', { external_reference: 'other' });
  for (const service of [first, second]) {
    expectError(await post('other', { external_reference: 'other 2' }, { service }), 422);
    expectError(await post('other', { first_total: 0 }, { service }), 422);
  }
  expect(await rowsOf('other 2')).toBe(0);
  const again = await post('other', { external_reference: 'other' });
  expect(again.text).toBe(answer.text);
});

test('frees the key of a refused call', async () => {
  expectError(await post('freed', { first_total: 0 }), 400);
  expectError(await post('freed', { first_total: 'x' }), 400);
  const answer = await post('freed', { external_reference: 'freed' });
  expect(answer.status).toBe(201);
  expect(replayed(answer)).toBe(false);
});

test('creates a request for each call without a key', async () => {
  const fields = paymentRequestBody(first, { external_reference: 'keyless' });
  const calls = [1, 2].map(() => first.call('POST', '/payment-request', { body: fields }));
  const [one, two] = await Promise.all(calls);
  expect(one?.body.id).not.toBe(two?.body.id);
  expect(await rowsOf('keyless')).toBe(2);
});

test('accepts only keys of 1 to 255 characters', async () => {
  const longest = await post('k'.repeat(255), { external_reference: 'longest' });
  expect(longest.status).toBe(201);
  for (const key of ['', 'k'.repeat(256)]) {
    const answer = await post(key, { external_reference: 'wrong key' });
    expectError(answer, 400);
    expect(answer.body.message).toContain('1 to 255 characters');
  }
  expect(await rowsOf('wrong key')).toBe(0);
});

test('scopes keys to an account', async () => {
  const { base } = first.service.parts;
  const acting = { ...base, actor: testOperator };
  const input = { id: 'BBBBBBBB', name: 'Otra', cuit: '30999999995', city: 'Rosario' };
  await createAccount(acting, input);
  const apiKey = await createKey(acting, {
    id: await base.recordIds.next(),
    environment: 'sandbox',
    accountId: 'BBBBBBBB',
    name: 'test',
    permissions: ['read', 'write'],
    expiresAt: null,
    secret: null,
  });
  const mine = await post('shared name', { external_reference: 'shared' });
  const theirs = await post('shared name', { external_reference: 'shared' }, { apiKey });
  expect(theirs.status).toBe(201);
  expect(replayed(theirs)).toBe(false);
  expect(theirs.body.id).not.toBe(mine.body.id);
  expect(theirs.body.checkout_url).toContain('/BBBBBBBB-');
});

test('creates one request for identical concurrent calls in one process, and answers the others with a 409 or a replay', async () => {
  for (let round = 0; round < 5; round += 1) {
    const reference = `at once ${round}`;
    const calls = Array.from({ length: 30 }, () =>
      post(reference, { external_reference: reference }),
    );
    const answers = await Promise.all(calls);
    const done = answers.filter((answer) => answer.status === 201);
    expect(done.filter((answer) => !replayed(answer))).toHaveLength(1);
    expect(new Set(done.map((answer) => answer.text)).size).toBe(1);
    for (const answer of answers) if (answer.status !== 201) expectError(answer, 409);
    expect(await rowsOf(reference)).toBe(1);
  }
});

test('creates once per key when two processes use the keys in different orders, without deadlock', async () => {
  for (let round = 0; round < 6; round += 1) {
    const keys = Array.from({ length: 50 }, (_, index) => `two ${round} ${(index * 37) % 50}`);
    const send = (service: TestService) => (key: string) =>
      post(key, { external_reference: key }, { service });
    const [here, there] = await Promise.all([
      Promise.all(keys.map(send(first))),
      Promise.all(keys.toReversed().map(send(second))).then((answers) => answers.toReversed()),
    ]);
    keys.forEach((_key, index) => {
      const pair = [here[index], there[index]] as [Answer, Answer];
      expect(pair.map((answer) => answer.status)).toEqual([201, 201]);
      expect(pair[0].text).toBe(pair[1].text);
      expect(pair.map(replayed).toSorted()).toEqual([false, true]);
    });
    const [counted] = await first.sql<{ rows: number; once: number }[]>`
      select count(*) as rows, count(distinct reference) as once
      from requests where reference like ${`two ${round} %`}`;
    const [told] = await first.sql<{ events: number }[]>`
      select count(*) as events from events e
      join requests r on r.account_id = e.account_id and r.id::text = e.entity_id
      where e.entity = 'payment_request' and r.reference like ${`two ${round} %`}`;
    expect({ ...counted, ...told }).toEqual({ rows: 50, once: 50, events: 50 });
  }
});

test('never deadlocks large batches that share keys in different orders', async () => {
  const { today } = first.service.parts.clocks.business;
  const fields = paymentRequestBody(first, { external_reference: 'batch' }).payment_request;
  const parsed = paymentRequestForm.read(fields, {
    today: today(),
    offered: channelCodes,
    barcode: '0448',
  });
  if (!parsed.ok) throw new Error('the form is not valid');
  const ctx = { accountId: testAccount, actor: testOperator, requestId: 'test' };
  const batch = (round: number): NewPaymentRequest[] =>
    Array.from({ length: 200 }, (_, index) => ({
      ctx,
      input: parsed.value,
      claim: {
        path: '/batch',
        key: `${round} ${(index * 37) % 200}`,
        fingerprint: fingerprintOf(Buffer.from('same')),
      },
    }));
  for (let round = 0; round < 15; round += 1) {
    const news = batch(round);
    const [here, there] = await Promise.all([
      first.service.parts.requests.createMany(news),
      second.service.parts.requests.createMany(news.toReversed()),
    ]);
    const outcomes = [...here, ...there];
    expect(outcomes.filter((outcome) => outcome instanceof Error)).toEqual([]);
    const kinds = outcomes.map((outcome) => ('kind' in outcome ? outcome.kind : ''));
    expect(kinds.filter((kind) => kind === 'created')).toHaveLength(200);
    expect(kinds.filter((kind) => kind === 'replayed')).toHaveLength(200);
  }
  expect(await rowsOf('batch')).toBe(15 * 200);
});

test('creates once for two bodies under one key in two processes, and answers 422 to the other', async () => {
  for (let round = 0; round < 10; round += 1) {
    const key = `rivals ${round}`;
    const answers = await Promise.all(
      [first, second].map((service, index) =>
        post(key, { external_reference: key, first_total: index + 1 }, { service }),
      ),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([201, 422]);
    expect(await rowsOf(key)).toBe(1);
  }
});

describe('the age of keys', () => {
  test('keeps keys for 24 hours of the wall clock, and deletes them after 26', async () => {
    const fields = { external_reference: 'old' };
    const answer = await post('old', fields);
    const { base } = first.service.parts;
    const now = base.clocks.wall.now();
    const { keys } = await stored(first.sql);
    expect(await forgetOldKeys(base.sql, now.add({ hours: 24 }))).toBe(0);
    expect(replayed(await post('old', fields))).toBe(true);
    expect(await forgetOldKeys(base.sql, now.add({ hours: 26 }))).toBe(keys);
    const renewed = await post('old', fields);
    expect(renewed.status).toBe(201);
    expect(replayed(renewed)).toBe(false);
    expect(renewed.body.id).not.toBe(answer.body.id);
  });

  test('replays an answer even after the due date, in any process', async () => {
    const body = paymentRequestBody(first, {
      external_reference: 'past',
      first_due_date: inDays(first, 1),
    });
    const headers = { 'idempotency-key': 'past' };
    const answer = await first.call('POST', '/payment-request', { body, headers });
    expect(answer.status).toBe(201);
    const moved = await first.call('POST', '/sandbox/clock', { body: { days: 3 } });
    expect(moved.status).toBe(200);
    await second.service.parts.clocks.refresh();
    for (const service of [first, second]) {
      const again = await service.call('POST', '/payment-request', { body, headers });
      expect(again.text).toBe(answer.text);
      expect(again.status).toBe(201);
      expect(replayed(again)).toBe(true);
      const fresh = await service.call('POST', '/payment-request', { body });
      expectError(fresh, 400);
      expect(fresh.body.children.first_due_date.errors[0]).toContain('or later');
      const other = await service.call('POST', '/payment-request', {
        body: `${JSON.stringify(body)} `,
        headers,
      });
      expectError(other, 422);
    }
    expect(await rowsOf('past')).toBe(1);
  });
});
