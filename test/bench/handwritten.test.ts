import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHandwritten } from '../../bench/references/handwritten/server.ts';
import { listen } from '../../bench/references/listen.ts';
import { packageRoot } from '../../src/package-root.ts';
import { inDays } from '../harness/builders/clock.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { call, startService, type TestService } from '../harness/service.ts';

let service: TestService;
let app: FastifyInstance;
let reference: string;
beforeAll(async () => {
  service = await startService();
  app = createHandwritten({ databaseUrl: service.databaseUrl, pool: 2 });
  reference = await listen(app);
});
afterAll(async () => {
  await app.close();
  await service.stop();
});

test('has nothing of the service', async () => {
  const folder = path.join(packageRoot(), 'bench/references/handwritten');
  for await (const file of glob('*.ts', { cwd: folder })) {
    const text = await readFile(path.join(folder, file), 'utf8');
    expect(text.match(/from '[^']*src\/[^']*'/g), file).toBeNull();
  }
});

/** What differs from one request to the next, or is a secret of the process. */
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

test('shows what was paid, and lets nobody in without a key', async () => {
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
