import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventTypes } from '../../src/events/index.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { webhookForm } from '../../src/webhooks/schema.ts';
import { testOperator } from '../harness/actors.ts';
import { expectError } from '../harness/errors.ts';
import { type Answer, call, startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { openAccount, register, registration } from './account.ts';
import { openReceiver } from './receiver.ts';

/** Two services on one database, which deliver nothing. */
let first: TestService;
let second: TestService;
let account: string;
let key: string;
beforeAll(async () => {
  first = await startService(withoutWorker);
  second = await startService({ ...withoutWorker, DATABASE_URL: first.databaseUrl });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});
beforeEach(async () => {
  ({ id: account, key } = await openAccount(first));
});

const url = 'http://127.0.0.1:9/hook';
const post = (body: unknown, headers: Record<string, string> = {}, service = first) =>
  service.call('POST', '/webhook', { key, body, headers });
const get = (path: string) => first.call('GET', path, { key });
const listed = async (): Promise<Answer['body'][]> => (await get('/webhook')).body.data;
const secretShape = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

const typeNamed = (name: string) => eventTypes.find((type) => type.name === name);

test('lists every event type by id and name in GET /event-type', async () => {
  const { status, body } = await get('/event-type');
  expect(status).toBe(200);
  expect(body).toEqual({ data: eventTypes.map(({ id, name }) => ({ id, name })) });
  expect(new Set(body.data.map((type: { id: number }) => type.id)).size).toBe(eventTypes.length);
});

describe('POST /webhook', () => {
  test('accepts event types by id and name, registers each once, and shows the secret only in this answer', async () => {
    const sent = ['payment_request.refunded', 1, 'payment_request.paid', '3', 1];
    const { status, body } = await post(registration(url, sent));
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      url,
      events: ['paid', 'expired', 'refunded'].map((what) => typeNamed(`payment_request.${what}`)),
      all_events: false,
      secret: secretShape,
    });
    const { secret, ...shown } = body;
    expect(await listed()).toEqual([shown]);
    const stored = await first.sql`select * from webhooks where account_id = ${account}`;
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
  });

  test('registers exactly the types named, given as any mix of ids and names', () => {
    const spelled = fc.constantFrom(...eventTypes.flatMap(({ id, name }) => [id, `${id}`, name]));
    fc.assert(
      fc.property(fc.array(spelled, { minLength: 1, maxLength: 40 }), (event_types) => {
        const parsed = webhookForm.read({ url, event_types }, undefined);
        if (!parsed.ok) throw new Error(JSON.stringify(parsed));
        const wanted = eventTypes.filter(({ id, name }) =>
          event_types.some((sent) => sent === name || Number(sent) === id),
        );
        expect(parsed.value.event_types).toEqual(wanted);
      }),
      { seed: 6, numRuns: 200 },
    );
  });

  const faults = async (webhook: unknown): Promise<Answer['body']['children']> => {
    const answer = await post({ webhook });
    expectError(answer, 400);
    expect(Object.keys(answer.body.children)).toEqual(['url', 'event_types']);
    return answer.body.children;
  };

  test('reports every fault at once, unknown types at their index', async () => {
    expect(await faults({})).toMatchObject({
      url: { errors: [expect.stringContaining('required')] },
      event_types: { errors: [expect.stringContaining('required')] },
    });
    const unknown = {
      errors: [expect.stringContaining('GET /event-type lists')],
      codes: ['webhook.event_type_unknown'],
    };
    const sent = ['payment_request.paid', 'payment_request.created', 0, 1, 1.5, null, {}, '01'];
    expect(await faults({ url: 'nowhere', event_types: sent })).toMatchObject({
      url: { errors: [expect.stringContaining('http')] },
      event_types: {
        errors: ['"payment_request.created"', '0', '1.5', 'null', '{…}', '"01"'].map((value) =>
          expect.stringContaining(`The value ${value} is not allowed. `),
        ),
        children: { 1: unknown, 2: unknown, 4: unknown, 5: unknown, 6: unknown, 7: unknown },
      },
    });
    for (const event_types of [[], 'payment_request.paid', { 0: 1 }, 1, Array(101).fill(1)]) {
      const children = await faults({ url, event_types });
      expect(children.event_types.errors).toHaveLength(1);
      expect(children.url).toEqual({});
    }
  });

  test.each([
    ['no address', 'not a url'],
    ['another protocol', 'ftp://example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['a user and password', 'http://user:secret@127.0.0.1/'],
    ['an invalid host', 'http://[::1/'],
    ['a name without addresses', 'http://receiver.invalid/'],
    ['more than 2048 characters', `http://127.0.0.1/${'a'.repeat(2048)}`],
    ['a number', 12],
    ['a list', [url]],
  ])('refuses %s as url', async (_what, sent) => {
    const children = await faults({ url: sent, event_types: [1] });
    expect(children).toMatchObject({ url: { errors: [expect.any(String)] }, event_types: {} });
    expect(await listed()).toEqual([]);
  });

  test('refuses an invalid registration', async () => {
    for (const body of ['[]', '"x"', '{}', '{"webhook":[]}', '{"webhook":null}', '{', '']) {
      expectError(await post(body), 400);
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expectError(await post('url=x', form), 415);
    expectError(await post(`"${'x'.repeat(1024 * 1024)}"`), 413);
  });

  test('refuses writes with a read-only key, and all calls without a key', async () => {
    const reader = await openAccount(first, ['read'], account);
    const calls = [
      ['POST', '/webhook'],
      ['PUT', '/webhook/1'],
      ['DELETE', '/webhook/1'],
      ['POST', '/webhook/1/rotate-secret'],
      ['POST', '/event/1/resend'],
    ] as const;
    for (const [method, path] of calls) {
      expectError(await first.call(method, path, { key: reader.key }), 403);
      expectError(await first.call(method, path, { key: null }), 401);
    }
    for (const path of ['/webhook', '/event', '/event-type', '/event/1/deliveries']) {
      expectError(await first.call('GET', path, { key: null }), 401);
    }
    expect((await first.call('GET', '/webhook', { key: reader.key })).status).toBe(200);
  });

  test('allows an account at most 20 webhooks, even with concurrent calls', async () => {
    const answers = await Promise.all(
      Array.from({ length: 26 }, (_, at) =>
        post(registration(url), {}, at % 2 === 0 ? first : second),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(6);
    for (const answer of refused) expectError(answer, 409);
    const own = await listed();
    expect(own).toHaveLength(20);
    await first.call('DELETE', `/webhook/${own[0].id}`, { key });
    expect((await post(registration(url))).status).toBe(201);
  });
});

describe('Idempotency-Key', () => {
  const once = { 'idempotency-key': 'once' };

  test('replays the answer with its secret, which is not stored with it', async () => {
    const answer = await post(registration(url), once);
    expect(answer.body.secret).toEqual(secretShape);
    for (const service of [second, first]) {
      const again = await post(registration(url), once, service);
      expect(again.status).toBe(201);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.text).toBe(answer.text);
    }
    expect(await listed()).toHaveLength(1);
    const stored = await first.sql`select body from idempotency_keys where account_id = ${account}`;
    expect(stored).toHaveLength(1);
    expect(stored[0]?.body).not.toContain('whsec_');
  });

  test('replays the secret while it signs, and refuses to after that', async () => {
    const answer = await post(registration(url), once);
    const { id } = answer.body;
    await first.call('POST', `/webhook/${id}/rotate-secret`, { key });
    expect((await post(registration(url), once)).text).toBe(answer.text);
    await first.sql`update webhooks set rotated_at = rotated_at - interval '24 hours' where id = ${id}`;
    const refused = await post(registration(url), once);
    expectError(refused, 409);
    expect(refused.body).toMatchObject({ error_code: 'webhook.secret_revoked' });
  });

  test('refuses to replay a secret that was revoked', async () => {
    const { id } = (await post(registration(url), once)).body;
    await first.call('POST', `/webhook/${id}/rotate-secret`, { key, body: { revoke_now: true } });
    const refused = await post(registration(url), once);
    expectError(refused, 409);
    expect(refused.body).toMatchObject({ error_code: 'webhook.secret_revoked' });
  });

  test('creates one webhook for concurrent calls in two processes', async () => {
    const answers = await Promise.all(
      [first, second, first, second].map((service) => post(registration(url), once, service)),
    );
    const made = answers.filter(({ status }) => status === 201);
    for (const other of answers.filter(({ status }) => status !== 201)) expectError(other, 409);
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(await listed()).toHaveLength(1);
  });

  test('answers 422 for another body, and frees the key of a refused call', async () => {
    expectError(await post(registration('http://receiver.invalid/'), once), 400);
    expect((await post(registration(url), once)).status).toBe(201);
    expectError(await post(registration(url, [2]), once), 422);
    expectError(await post(registration('nowhere'), once), 422);
    expect(await listed()).toHaveLength(1);
  });
});

describe('DELETE /webhook/{id}', () => {
  const remove = (id: unknown, service = first) =>
    service.call('DELETE', `/webhook/${id}`, { key });

  test('removes a webhook once', async () => {
    const { secret: _secret, ...shown } = await register(first, key, url);
    const answers = await Promise.all([first, second].map((one) => remove(shown.id, one)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual(shown);
    expect(await listed()).toEqual([]);
    expectError(await remove(shown.id), 404);
  });

  test('finds only the account’s own webhooks', async () => {
    const other = await openAccount(first);
    const { id } = await register(first, other.key, url);
    expectError(await remove(id), 404);
    expectError(await first.call('POST', `/webhook/${id}/rotate-secret`, { key }), 404);
    expectError(await remove(999_999_999), 404);
    for (const bad of ['x', '0', '-1', '1.5', '99999999999999999999']) {
      expectError(await remove(bad), 400);
    }
    expect((await first.call('GET', '/webhook', { key: other.key })).body.data).toHaveLength(1);
  });

  test('neither lists nor removes a single-entity webhook', async () => {
    const { webhooks, base } = first.service.parts;
    const name = { accountId: account, entity: 'qr_batch', entityId: '7', keyNo: 1 };
    await webhooks.notifyOnce(base.sql, { ...name, id: await base.recordIds.next(), url });
    const [row] = await first.sql<{ id: number }[]>`
      select id from webhooks where account_id = ${account}`;
    expect(await listed()).toEqual([]);
    expectError(await remove(row?.id), 404);
    expectError(await first.call('POST', `/webhook/${row?.id}/rotate-secret`, { key }), 404);
  });
});

describe('POST /webhook/{id}/rotate-secret', () => {
  test('creates one new secret per 24 hours, however often and wherever it is called', async () => {
    const { id, secret } = await register(first, key, url);
    const rotate = (service: TestService) =>
      service.call('POST', `/webhook/${id}/rotate-secret`, { key });
    const answers = await Promise.all([first, second, first, second].map(rotate));
    answers.push(await rotate(first));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const [answer] = answers;
    expect(answer?.status).toBe(200);
    expect(answer?.body).toEqual({
      ...(await listed())[0],
      secret: secretShape,
      previous_secret_expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}-03:00$/),
    });
    expect(answer?.body.secret).not.toBe(secret);
    const until = Temporal.Instant.from(answer?.body.previous_secret_expires_at);
    const now = first.service.parts.clocks.wall.now();
    expect(now.until(until).total('hours')).toBeGreaterThan(23.9);
    expect(now.until(until).total('hours')).toBeLessThanOrEqual(24);

    const [rotated] = await first.sql<{ at: Temporal.Instant }[]>`
      select rotated_at as at from webhooks where id = ${id}`;
    await first.sql`
      update webhooks set rotated_at = ${rotated?.at.subtract({ hours: 24 }) ?? null}
      where id = ${id}`;
    const next = await rotate(second);
    expect(next.body.secret).not.toBe(answer?.body.secret);
    const [row] = await first.sql`select secret_no from webhooks where id = ${id}`;
    expect(row).toEqual({ secret_no: 3 });
  });

  test('answers 404 for a removed webhook', async () => {
    const { id } = await register(first, key, url);
    await first.call('DELETE', `/webhook/${id}`, { key });
    expectError(await first.call('POST', `/webhook/${id}/rotate-secret`, { key }), 404);
  });
});

test('logs each change of a webhook with its author, without the secret', async () => {
  const { id } = await register(first, key, url, [1, 3]);
  await first.call('POST', `/webhook/${id}/rotate-secret`, { key });
  await first.call('POST', `/webhook/${id}/rotate-secret`, { key });
  await first.call('DELETE', `/webhook/${id}`, { key });
  const rows = await first.sql`
    select e.version, e.type, e.actor, e.data, o.event_id is not null as queued
    from events e left join outbox o on o.account_id = e.account_id and o.event_id = e.id
    where e.account_id = ${account} and e.entity = 'webhook' order by e.version`;
  const data = { url, event_types: ['payment_request.paid', 'payment_request.expired'] };
  const actor = expect.stringMatching(/^key:/);
  expect(rows.map((row) => ({ ...row }))).toEqual(
    ['created', 'rotated', 'removed'].map((what, at) => ({
      version: at + 1,
      type: `webhook.${what}`,
      actor,
      data,
      queued: false,
    })),
  );
});

test('a receiver that never answers delays the tests of its account only', async () => {
  const silent = createTcpServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const receiver = await openReceiver();
  const [slow, other] = [await openAccount(first), await openAccount(first)];
  const hung = await register(first, slow.key, `http://127.0.0.1:${port}/`);
  const healthy = await register(first, other.key, receiver.url);
  const { test: send } = first.service.parts.webhooks;
  const as = (accountId: string) => ({ accountId, actor: testOperator, requestId: 'x' });
  const ends = Array.from({ length: 7 }, () =>
    send(as(slow.id), hung.id).catch((error: unknown) => error),
  );
  expect((await send(as(other.id), healthy.id)).accepted).toBe(true);
  expect(await Promise.race(ends)).toMatchObject({ localized: { key: 'webhook.tests_busy' } });
  await Promise.all(ends);
  silent.close();
  await receiver.close();
});

test('accepts only https to public networks in production, for registrations and edits', async () => {
  const port = await freePort('127.0.0.1');
  await first.sql`update deployment set environment = 'production'`;
  const production = await startService({
    ...withoutWorker,
    ENVIRONMENT: 'production',
    PUBLIC_URL: 'https://pagos.example.com',
    BARCODE_CONVENTION: '5150000001',
    DATABASE_URL: first.databaseUrl,
    PORT: String(port),
  });
  try {
    const attempts: [sent: string, code: string][] = [
      ['http://93.184.216.34/', 'webhook.url_not_https'],
      ['https://127.0.0.1/', 'webhook.url_not_public'],
      ['https://2130706433/', 'webhook.url_not_public'],
      ['https://localhost/', 'webhook.url_not_public'],
      ['https://169.254.169.254/latest/meta-data/', 'webhook.url_not_public'],
      ['https://[::ffff:10.0.0.1]/', 'webhook.url_not_public'],
      ['https://93.184.216.34:22/', 'webhook.url_port'],
    ];
    for (const [sent, code] of attempts) {
      const body = registration(sent);
      const answer = await call(`http://127.0.0.1:${port}`, 'POST', '/webhook', { key, body });
      expectError(answer, 400);
      expect(answer.body.children).toEqual({
        url: { errors: [expect.any(String)], codes: [code] },
        event_types: {},
      });
    }
    const body = registration('https://93.184.216.34/hook');
    const made = await call(`http://127.0.0.1:${port}`, 'POST', '/webhook', { key, body });
    expect(made.status, made.text).toBe(201);
    for (const [sent, code] of attempts) {
      const change = { key, body: { webhook: { url: sent } } };
      const origin = `http://127.0.0.1:${port}`;
      const edited = await call(origin, 'PUT', `/webhook/${made.body.id}`, change);
      expectError(edited, 400);
      expect(edited.body.children.url.codes).toEqual([code]);
    }
  } finally {
    await production.stop();
  }
});
