import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { appendEvents } from '../../src/events/index.ts';
import { system } from '../../src/platform/actor.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { expectError } from '../harness/errors.ts';
import { type Answer, startService, type TestService } from '../harness/service.ts';
import { openAccount, register } from './account.ts';
import { openReceiver, type Receiver, status } from './receiver.ts';

let service: TestService;
let key: string;
let inbox: Receiver;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  ({ key } = await openAccount(service));
  inbox = await openReceiver();
});
afterEach(() => inbox.close());

const get = (path: string) => service.call('GET', path, { key });
const post = (path: string, body: unknown = {}) => service.call('POST', path, { key, body });

/** Creates a payment request and pays it: one event for webhooks. */
async function paid(fields: Record<string, unknown> = {}): Promise<number> {
  const { body } = await post('/payment-request', paymentRequestBody(service, fields));
  expect((await post(`/sandbox/pay/${body.id}`)).status).toBe(200);
  return body.id;
}

/** Waits until the feed has this many events. Returns the feed. */
const feed = (count: number, query = ''): Promise<Answer['body'][]> =>
  vi.waitFor(
    async () => {
      const { data } = (await get(`/event?limit=100${query}`)).body;
      expect(data).toHaveLength(count);
      return data;
    },
    { timeout: 5_000, interval: 20 },
  );

/** Waits until the deliveries of an event match. Returns them. */
const deliveries = (
  id: number,
  wanted: (one: Answer['body']) => boolean,
): Promise<Answer['body'][]> =>
  vi.waitFor(
    async () => {
      const { data } = (await get(`/event/${id}/deliveries`)).body;
      expect(data.length).toBeGreaterThan(0);
      expect(data.every(wanted)).toBe(true);
      return data;
    },
    { timeout: 5_000, interval: 20 },
  );

const ended = ({ state }: { state: string }) => state !== 'pending';
const attempted = ({ attempts }: { attempts: unknown[] }) => attempts.length > 0;
const arrived = (count: number) =>
  vi.waitFor(() => expect(inbox.received).toHaveLength(count), { timeout: 5_000, interval: 20 });

test('shows events in the feed with the content of their deliveries', async () => {
  const { secret } = await register(service, key, inbox.url);
  const id = await paid({ external_reference: 'order 66', first_total: 100.5 });
  const [event] = await feed(1);
  await arrived(1);
  const [received] = inbox.received;
  const { id: eventId, position, ...shown } = event;
  const body = { ...shown, type: 'paid' };
  expect(received?.body).toBe(JSON.stringify(body));
  expect(received?.headers['webhook-id']).toBe(`evt_${eventId}`);
  expect(new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toEqual(body);
  expect(position).toBeGreaterThan(0);
  const request = (await get(`/payment-request/${id}`)).body;
  expect(shown).toEqual({
    entity_name: 'payment_request',
    type: 'payment_request.paid',
    event_type: 'payment_request.paid',
    entity_id: id,
    created_at: request.request_result[0].created_at,
    payload: {
      id,
      state: 'paid',
      external_reference: 'order 66',
      request_result_id: request.request_result[0].id,
      amount: 100.5,
    },
  });
});

test('gives a reader with a cursor every event once at any page size, then empty pages', async () => {
  const start = (await get('/event?after=latest')).body;
  expect(start).toEqual({ data: [], next: expect.any(Number) });
  const paidIds = [await paid(), await paid(), await paid(), await paid(), await paid()];
  const all = await feed(5);
  const ids = all.map(({ entity_id }) => entity_id);
  expect(ids.toSorted()).toEqual(paidIds.toSorted());
  const positions = all.map(({ position }) => position);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  for (const limit of [1, 2, 5, 6]) {
    const seen: number[] = [];
    let after = start.next;
    for (let page = 0; page < 10 && seen.length < 5; page += 1) {
      const { data, next } = (await get(`/event?after=${after}&limit=${limit}`)).body;
      expect(data.length).toBeLessThanOrEqual(limit);
      seen.push(...data.map((event: { entity_id: number }) => event.entity_id));
      after = next;
    }
    expect(seen).toEqual(ids);
    const rest = (await get(`/event?after=${after}&limit=${limit}`)).body;
    expect(rest).toEqual({ data: [], next: positions.at(-1) });
  }
  expect((await get('/event?after=latest')).body).toEqual({ data: [], next: positions.at(-1) });
  const ahead = Number.MAX_SAFE_INTEGER;
  expect((await get(`/event?after=${ahead}`)).body).toEqual({ data: [], next: ahead });
});

test('filters by type, entity and day', async () => {
  const first = await paid();
  const second = await paid();
  await post(`/sandbox/refund/${first}`);
  const all = await feed(3);
  const refund = all.find(({ type }) => type === 'payment_request.refunded');
  const [payment] = all.filter(
    ({ entity_id, type }) => entity_id === first && type !== refund.type,
  );
  expect(refund.payload.reversed_result_id).toBe(payment.payload.request_result_id);
  const ofFirst = '&entity_name=payment_request';
  expect(await feed(2, `${ofFirst}&entity_id=${first}`)).toHaveLength(2);
  expect((await feed(1, '&type=payment_request.refunded'))[0]).toEqual(refund);
  expect((await feed(1, '&type=5'))[0]).toEqual(refund);
  expect((await feed(1, `&type=1&entity_id=${second}`))[0].entity_id).toBe(second);
  const last = (await get('/event?type=2')).body;
  expect(last).toEqual({ data: [], next: all.at(-1).position });
  const today = service.service.parts.clocks.business.today();
  const day = (days: number) => today.add({ days }).toString().split('-').reverse().join('-');
  await feed(3, `&created_at_gte=${day(0)}&created_at_lte=${day(0)}`);
  await feed(0, `&created_at_gte=${day(1)}`);
  await feed(0, `&created_at_lte=${day(-1)}`);
  await feed(3, '&created_at_lte=31-12-9999');
});

test('reports an invalid query at its parameters', async () => {
  const bad = [
    ['after', 'x'],
    ['after', '-1'],
    ['limit', '0'],
    ['limit', '101'],
    ['type', 'payment_request.created'],
    ['entity_name', 'api_key'],
    ['entity_id', 'x'.repeat(101)],
    ['created_at_gte', '2026-11-21'],
    ['created_at_lte', '31-02-2026'],
  ];
  for (const [name = '', value] of bad) {
    const answer = await get(`/event?${name}=${value}`);
    expectError(answer, 400);
    expect(answer.body.children[name].errors).toHaveLength(1);
  }
});

test('hides events and deliveries from other accounts', async () => {
  await register(service, key, inbox.url);
  await paid();
  const [event] = await feed(1);
  const other = await openAccount(service);
  expect((await service.call('GET', '/event', { key: other.key })).body.data).toEqual([]);
  for (const [method, what] of [
    ['GET', 'deliveries'],
    ['POST', 'resend'],
  ] as const) {
    const path = `/event/${event.id}/${what}`;
    expectError(await service.call(method, path, { key: other.key }), 404);
    expectError(await service.call(method, `/event/x/${what}`, { key }), 400);
    expectError(await service.call(method, `/event/999999999/${what}`, { key }), 404);
  }
});

test('lists each attempt of a delivery, with status and time', async () => {
  const hook = await register(service, key, inbox.url);
  const dead = await register(service, key, 'http://127.0.0.1:9/');
  await paid();
  const [event] = await feed(1);
  const [one, two] = await deliveries(event.id, attempted);
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}-03:00$/);
  expect(one).toEqual({
    webhook_id: hook.id,
    url: inbox.url,
    state: 'delivered',
    attempts: [{ no: 1, at, status: 204, ms: expect.any(Number) }],
  });
  expect(two).toEqual({
    webhook_id: dead.id,
    url: 'http://127.0.0.1:9/',
    state: 'pending',
    attempts: [{ no: 1, at, error: expect.any(String), ms: expect.any(Number) }],
    next_at: at,
  });
});

test('sends a single-entity address only its events, with their deliveries', async () => {
  const { id: accountId, key: own } = await openAccount(service);
  const { webhooks, base } = service.service.parts;
  const name = { accountId, entity: 'qr_batch', entityId: '7', keyNo: 1 };
  const [id = 0, eventId = 0] = await base.recordIds.take(2);
  await base.sql.begin(async (tx) => {
    await webhooks.notifyOnce(tx, { ...name, id, url: inbox.url });
    const data = { state: 'completed', total_count: 2, created: 2, rejected: 0 };
    const event = { ...name, version: 1, id: eventId, type: 'qr_batch.completed', data };
    await appendEvents(tx, [{ ...event, at: base.clocks.business.now(), actor: system }]);
  });
  await arrived(1);
  const [received] = inbox.received;
  const secret = webhooks.secrets.onceSecretOf(name) ?? '';
  expect(new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({
    entity_name: 'qr_batch',
    entity_id: '7',
  });
  await vi.waitFor(async () => {
    const { body } = await service.call('GET', `/event/${eventId}/deliveries`, { key: own });
    expect(body.data).toEqual([expect.objectContaining({ url: inbox.url, state: 'delivered' })]);
  });
  expect((await service.call('GET', '/webhook', { key: own })).body.data).toEqual([]);
});

test('resends a delivered event, to all webhooks or one', async () => {
  const hook = await register(service, key, inbox.url);
  await paid();
  const [event] = await feed(1);
  await deliveries(event.id, ended);
  const late = await register(service, key, `${inbox.url}/late`);
  const all = await post(`/event/${event.id}/resend`);
  expect(all.status).toBe(200);
  expect(all.body.data.map((one: Answer['body']) => one.webhook_id)).toEqual([hook.id, late.id]);
  await arrived(3);
  const [first] = await deliveries(event.id, ended);
  expect(first.attempts.map(({ no }: { no: number }) => no)).toEqual([1, 2]);
  expect((await post(`/event/${event.id}/resend`, { webhook_id: late.id })).status).toBe(200);
  await arrived(4);
  expect(new Set(inbox.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(inbox.received.map(({ body }) => body)).size).toBe(1);
});

test('refuses to resend a pending event, one without receivers, and to an unknown webhook', async () => {
  await paid();
  const [event] = await feed(1);
  const resend = (body?: unknown) => post(`/event/${event.id}/resend`, body);
  expectError(await resend(), 409);
  await register(service, key, inbox.url, ['payment_request.expired']);
  expectError(await resend(), 409);
  const unknown = await resend({ webhook_id: 999_999_999 });
  expectError(unknown, 400);
  expect(unknown.body.children).toEqual({
    webhook_id: { errors: [expect.any(String)], codes: ['event.webhook_unknown'] },
  });
  const foreign = await openAccount(service);
  const { id } = await register(service, foreign.key, inbox.url);
  expect((await resend({ webhook_id: id })).body).toEqual(unknown.body);
  expectError(await resend({ webhook_id: 'x' }), 400);

  inbox.answer(status(500));
  await register(service, key, inbox.url);
  expect((await resend()).status).toBe(200);
  await deliveries(event.id, attempted);
  const [one] = await deliveries(event.id, ({ next_at }) => next_at !== undefined);
  expect(one).toMatchObject({ state: 'pending', attempts: [{ no: 1, status: 500 }] });
  expectError(await resend(), 409);
});

test('resends once for concurrent calls', async () => {
  await register(service, key, inbox.url);
  await paid();
  const [event] = await feed(1);
  await deliveries(event.id, ended);
  inbox.answer(status(500));
  const answers = await Promise.all([1, 2, 3].map(() => post(`/event/${event.id}/resend`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  await arrived(2);
});

test('sends nothing to a removed webhook', async () => {
  const { id } = await register(service, key, `${inbox.url}/removed`);
  await service.call('DELETE', `/webhook/${id}`, { key });
  const kept = await register(service, key, inbox.url);
  await paid();
  const [event] = await feed(1);
  const all = await deliveries(event.id, ended);
  expect(all.map(({ webhook_id }) => webhook_id)).toEqual([kept.id]);
  expect(inbox.received).toHaveLength(1);
  expectError(await post(`/event/${event.id}/resend`, { webhook_id: id }), 400);
});
