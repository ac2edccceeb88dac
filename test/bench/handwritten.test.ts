import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balancesTable } from '../../bench/references/handwritten/pay.ts';
import { createHandwritten } from '../../bench/references/handwritten/server.ts';
import { listen } from '../../bench/references/listen.ts';
import { inDays } from '../harness/builders/clock.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { callerOf, itemOf } from '../harness/builders/qrs.ts';
import { call, startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
let app: FastifyInstance;
let reference: string;
beforeAll(async () => {
  service = await startService();
  await service.sql.unsafe(`${balancesTable}; grant all on handwritten_balances to public`);
  app = createHandwritten({ databaseUrl: service.databaseUrl, pool: 2 });
  reference = await listen(app);
});
afterAll(async () => {
  await app.close();
  await service.stop();
});

/** Values that differ between requests, or are secrets of the process. */
const own = {
  id: expect.any(Number),
  created_at: expect.any(String),
  barcode: expect.stringMatching(/^\d{59}$/),
  checkout_url: expect.any(String),
  barcode_url: expect.any(String),
  pdf_url: expect.any(String),
};

test('creates and shows a request as the service does', async () => {
  const body = paymentRequestBody(service, {
    external_reference: 'A-1',
    payer_email: 'ana@example.com',
    first_due_date: inDays(service, 10),
    second_due_date: inDays(service, 20),
    second_total: 1500,
  });
  const ours = await service.call('POST', '/payment-request', { body });
  const theirs = await call(reference, 'POST', '/payment-request', { body });
  expect(theirs.status, theirs.text).toBe(201);
  expect(theirs.body).toEqual({ ...ours.body, ...own });
  const got = await service.call('GET', `/payment-request/${theirs.body.id}`);
  const shown = await call(reference, 'GET', `/payment-request/${theirs.body.id}`);
  expect(shown.body).toEqual({ ...got.body, ...own });
  expect(shown.body.barcode).toBe(got.body.barcode);
  const events = await service.sql`
    select type, actor, data from events where entity_id in (${String(ours.body.id)}, ${String(theirs.body.id)})`;
  expect(events).toHaveLength(2);
  expect(events[0]).toEqual(events[1]);
});

test('shows payments, and refuses missing or wrong keys, unknown ids and invalid bodies', async () => {
  const { id } = (
    await service.call('POST', '/payment-request', { body: paymentRequestBody(service) })
  ).body;
  await service.call('POST', `/sandbox/pay/${id}`, { body: {} });
  const got = await service.call('GET', `/payment-request/${id}`);
  const shown = await call(reference, 'GET', `/payment-request/${id}`);
  expect(shown.body).toMatchObject({
    state: 'paid',
    request_result: got.body.request_result,
    holder_data: got.body.holder_data,
  });
  expect((await call(reference, 'GET', `/payment-request/${id}`, { key: null })).status).toBe(401);
  expect(
    (await call(reference, 'GET', `/payment-request/${id}`, { key: 'x'.repeat(20) })).status,
  ).toBe(401);
  expect((await call(reference, 'GET', '/payment-request/999999')).status).toBe(404);
  const wrong = { payment_request: { description: 'x' } };
  expect((await call(reference, 'POST', '/payment-request', { body: wrong })).status).toBe(400);
});

test('records a payment once and shows a balance, as the service does', async () => {
  const { id } = (
    await call(reference, 'POST', '/payment-request', { body: paymentRequestBody(service) })
  ).body;
  const paid = await call(reference, 'POST', `/sandbox/pay/${id}`, { body: {} });
  expect(paid.status, paid.text).toBe(200);
  const shown = await call(reference, 'GET', `/payment-request/${id}`);
  expect(paid.body.request_result).toEqual(shown.body.request_result);
  const seen = await service.call('GET', `/payment-request/${id}`);
  expect(seen.body).toMatchObject({
    state: 'paid',
    request_result: shown.body.request_result,
    holder_data: shown.body.holder_data,
  });
  const ours = await service.call('POST', '/payment-request', {
    body: paymentRequestBody(service),
  });
  const oursPaid = await service.call('POST', `/sandbox/pay/${ours.body.id}`, { body: {} });
  const money = ({ amount, net_fee, fee_iva, net_amount }: Record<string, number>) => ({
    amount,
    net_fee,
    fee_iva,
    net_amount,
  });
  expect(money(paid.body.request_result[0])).toEqual(money(oursPaid.body.request_result[0]));
  const balance = await call(reference, 'GET', '/account/balances');
  expect(balance.body).toEqual({
    user_account_id: testAccount,
    available_balance: 0,
    unavailable_balance: paid.body.request_result[0].net_amount,
  });
  expect((await call(reference, 'POST', `/sandbox/pay/${id}`, { body: {} })).status).toBe(409);
  const events = await service.sql`
    select type, actor, data - 'request_result_id' as data from (
      select type, actor, data::jsonb from events
      where version = 2 and entity_id in (${String(ours.body.id)}, ${String(id)})
    ) one`;
  expect(events).toHaveLength(2);
  expect(events[0]).toEqual(events[1]);
});

test('shows a QR before and after its payment, as the service does', async () => {
  const { save, status, pay } = callerOf(service);
  await save([itemOf(service, 'hand-1'), itemOf(service, 'hand-2', { first_total: 99 })]);
  expect((await pay('hand-2')).status).toBeLessThan(300);
  for (const id of ['hand-1', 'hand-2']) {
    const ours = await status(id);
    const theirs = await call(reference, 'GET', `/status/${id}`);
    expect(theirs.body).toEqual({
      ...ours.body,
      image_url: expect.stringMatching(/\.png$/),
      image_svg_url: expect.stringMatching(/\.svg$/),
    });
    expect(Object.keys(theirs.body)).toEqual(Object.keys(ours.body));
  }
  expect((await call(reference, 'GET', '/status/hand-3')).status).toBe(404);
});

test('answers from memory after the first read, and still refuses calls without a key', async () => {
  const { id } = (
    await service.call('POST', '/payment-request', { body: paymentRequestBody(service) })
  ).body;
  const kept = createHandwritten({ databaseUrl: service.databaseUrl, pool: 2, remember: true });
  const origin = await listen(kept);
  try {
    const read = await call(origin, 'GET', `/payment-request/${id}`);
    expect((await call(origin, 'GET', '/payment-request/1')).body).toEqual(read.body);
    expect((await call(origin, 'GET', `/payment-request/${id}`, { key: null })).status).toBe(401);
  } finally {
    await kept.close();
  }
});
