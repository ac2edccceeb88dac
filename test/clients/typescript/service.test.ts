import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Recaudo, RefusedError, verifyWebhook } from '../../../clients/typescript/src/index.ts';
import { inDays } from '../../harness/builders/clock.ts';
import { adhesionBody, card, cardAdhesionBody } from '../../harness/builders/mandates.ts';
import { itemOf } from '../../harness/builders/qrs.ts';
import { startService, type TestService, testAccount, testKey } from '../../harness/service.ts';
import { openReceiver } from '../../webhooks/receiver.ts';

let service: TestService;
let recaudo: Recaudo;
beforeAll(async () => {
  service = await startService();
  recaudo = new Recaudo({ key: testKey, baseUrl: `${service.origin}/` });
});
afterAll(() => service.stop());

const fields = (more: { external_reference?: string; first_total?: number } = {}) => ({
  description: 'Cuota de diciembre',
  first_due_date: inDays(service, 10),
  first_total: 1430.5,
  payer_name: 'Ana Pérez',
  ...more,
});

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const one of items) all.push(one);
  return all;
};

describe('payment requests', () => {
  test('creates a payment request once under a key, reads, pays and refunds it', async () => {
    const idempotencyKey = 'order 66';
    const [first, again] = await Promise.all([
      recaudo.paymentRequests.create(fields(), { idempotencyKey }),
      recaudo.paymentRequests.create(fields(), { idempotencyKey }),
    ]);
    expect(again).toEqual(first);
    expect(first).toMatchObject({ state: 'pending', first_total: 1430.5 });
    expect(await recaudo.sandbox.pay(first.id, { channel: 'credit_card' })).toMatchObject({
      state: 'paid',
    });
    const refund = await recaudo.paymentRequests.refund(first.id, { amount: 30.5 });
    expect(await recaudo.paymentRequests.getRefund(first.id, refund.id)).toMatchObject({
      amount: 30.5,
    });
    expect(await recaudo.paymentRequests.listRefunds(first.id)).toHaveLength(1);
    const read = await recaudo.paymentRequests.get(first.id, { detail_retentions: true });
    expect(read.request_result?.length).toBeGreaterThan(0);
    expect(read).toHaveProperty('retentions');
  });

  test('lists filtered payment requests to the end, page by page', async () => {
    const external_reference = 'lote 7';
    const made: number[] = [];
    for (let no = 0; no < 5; no += 1) {
      made.push((await recaudo.paymentRequests.create(fields({ external_reference }))).id);
    }
    const list = recaudo.paymentRequests.list({ external_reference, limit: 2 });
    expect((await collect(list)).map(({ id }) => id)).toEqual(made);
    const after = made[2] ?? 0;
    const rest = recaudo.paymentRequests.list({ external_reference, after });
    expect((await collect(rest)).map(({ id }) => id)).toEqual(made.slice(3));
    const none = recaudo.paymentRequests.list({ external_reference: 'nobody' });
    expect(await collect(none)).toEqual([]);
  });

  test('reports each faulty field, its code and the call of a refused request', async () => {
    const call = recaudo.paymentRequests.create({
      ...fields({ first_total: 0 }),
      items: [{ description: '', amount: 1 }],
    });
    const error = await call.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RefusedError);
    const { status, error_code, fields: faults, requestId, call: context } = error as RefusedError;
    expect({ status, error_code }).toEqual({ status: 400, error_code: 'invalid_fields' });
    expect(faults.map(({ path }) => path).toSorted()).toEqual([
      'first_total',
      'items.0.description',
    ]);
    for (const { message, code } of faults) {
      expect(message).toMatch(/^[A-Z]/);
      expect(code).toMatch(/^[a-z_]+\.[a-z_]+$/);
    }
    expect(requestId).toMatch(/^[\w-]{8,}$/);
    expect(context).toMatchObject({ method: 'POST', path: '/payment-request', attempts: 1 });
  });

  test('reports an unknown request, and an unknown key, as errors of the service', async () => {
    const missing = recaudo.paymentRequests.get(987_654_321);
    await expect(missing).rejects.toMatchObject({
      status: 404,
      error_code: 'payment_request.not_found',
    });
    const stranger = new Recaudo({ key: 'rk_unknown', baseUrl: service.origin });
    await expect(stranger.balances()).rejects.toMatchObject({
      status: 401,
      error_code: 'api_key.unknown',
    });
  });
});

describe('mandates and debits', () => {
  test('creates a mandate on a bank account, debits it, and cancels both', async () => {
    const { id } = await recaudo.adhesions.create(adhesionBody().adhesion);
    expect(await recaudo.adhesions.get(id)).toMatchObject({ id, state: 'signed' });
    const debit = await recaudo.debitRequests.create({
      adhesion_id: id,
      description: 'Cuota',
      first_due_date: inDays(service, 30),
      first_total: 100,
    });
    expect(await recaudo.debitRequests.get(debit.id)).toMatchObject({ state: 'pending' });
    expect(await recaudo.debitRequests.cancel(debit.id)).toMatchObject({ state: 'canceled' });
    expect(await recaudo.debitRequests.cancel(debit.id)).toMatchObject({ state: 'canceled' });
    const listed = await collect(recaudo.debitRequests.list({ state: 'canceled' }));
    expect(listed.map((one) => one.id)).toEqual([debit.id]);
    expect(await recaudo.adhesions.cancel(id)).toMatchObject({ state: 'canceled' });
    expect(await collect(recaudo.adhesions.list({ state: 'canceled' }))).toHaveLength(1);
  });

  test('creates, debits and cancels a mandate on a card', async () => {
    expect(await recaudo.cardAdhesions.publicKey()).toHaveProperty('algorithm', 'RSA-OAEP-256');
    const made = { ...cardAdhesionBody().card_adhesion, card_number: card };
    const { id, last_four_digits } = await recaudo.cardAdhesions.create(made);
    expect(last_four_digits).toBe('4905');
    expect(await recaudo.cardAdhesions.get(id)).toMatchObject({ state: 'signed' });
    const year = Number(inDays(service, 60).slice(-4));
    const month = Number(inDays(service, 60).slice(3, 5));
    const debit = await recaudo.cardDebitRequests.create({
      ...{ card_adhesion_id: id, month, year, amount: 100, description: 'Cuota' },
    });
    expect(await recaudo.cardDebitRequests.get(debit.id)).toMatchObject({ month, year });
    expect(await collect(recaudo.cardDebitRequests.list())).toHaveLength(1);
    expect(await recaudo.cardDebitRequests.cancel(debit.id)).toMatchObject({ state: 'canceled' });
    expect(await recaudo.cardAdhesions.cancel(id)).toMatchObject({ state: 'canceled' });
    expect(await collect(recaudo.cardAdhesions.list())).toHaveLength(1);
  });
});

describe('QRs', () => {
  /** Returns an item for `save`. */
  const item = (id: string) => ({
    id,
    ...{ city: 'Rosario', multiple_payment: false, description: 'Cuota', payer_name: 'Ana' },
    ...{ first_total: 1500, first_due_date: inDays(service, 10) },
  });

  test('saves, edits, pays, refunds and deletes dynamic QRs', async () => {
    const saved = await recaudo.qr.save(['A-1', 'A-2', 'A-3', 'A-4'].map(item));
    expect(saved).toMatchObject({ code: 'H001', total_count: 4 });
    await recaudo.qr.edit('A-1', { first_total: 1600 });
    await recaudo.qr.editMany([{ id: 'A-2', description: 'Cuota 2' }]);
    expect(await recaudo.qr.get('A-1')).toMatchObject({ first_total: 1600, status: 'Pending' });
    expect(await recaudo.qr.pay('A-1')).toMatchObject({ status: 'Paid' });
    const refund = await recaudo.qr.refund('A-1', { amount: 100 });
    expect(await recaudo.qr.getRefund('A-1', refund.id)).toMatchObject({ amount: 100 });
    expect(await recaudo.qr.listRefunds('A-1')).toHaveLength(1);
    await recaudo.qr.delete('A-2');
    await recaudo.qr.deleteMany(['A-3', 'A-4']);
    expect(await recaudo.qr.get('A-3')).toMatchObject({ status: 'Deleted' });
  });

  test('reports index, id and field of each fault in a refused batch', async () => {
    const wrong = [itemOf(service, 'B-1'), item('B-2'), { ...item('B-3'), city: '' }];
    const call = recaudo.qr.save(wrong as ReturnType<typeof item>[]);
    const error = await call.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 400, qrCode: 'H103' });
    expect((error as RefusedError).fields).toEqual([
      expect.objectContaining({ path: 'city', index: 2, id: `${testAccount}-B-3` }),
    ]);
  });

  test('creates a transaction on a static QR and pays it', async () => {
    const made = await recaudo.qr.static.create({
      ...{ id: 'CAJA-1', qr_type: 'static_closed_amount', qr_name: 'Kiosco', city: 'Rosario' },
      ...{ multiple_payment: true, description: 'Caja 1', payer_name: 'Kiosco Ana' },
    });
    const { qr_id } = await recaudo.qr.static.newTransaction(made.qr_string, {
      first_total: 150.5,
      external_reference: 'ticket 7',
    });
    expect(await recaudo.qr.static.pay('CAJA-1')).toMatchObject({ status: 'Paid' });
    expect(await recaudo.qr.static.get(qr_id)).toMatchObject({ status: 'Paid' });
  });

  test('reports the outcome of each uploaded item', async () => {
    const { id } = await recaudo.qr.imports.upload([item('C-1'), { ...item('C-2'), city: '' }]);
    await expect
      .poll(async () => (await recaudo.qr.imports.result(id)).state, { timeout: 15_000 })
      .toBe('completed');
    const rows = await collect(recaudo.qr.imports.rows(id));
    expect(rows.map(({ status }) => status)).toEqual(['created', 'rejected']);
  });
});

describe('reports and balances', () => {
  test('yields the whole report’s rows one by one, and one CSV line for each', async () => {
    const { id } = await recaudo.paymentRequests.create(
      fields({ external_reference: 'con "comillas", ] y }' }),
    );
    await recaudo.sandbox.pay(id);
    const today = inDays(service, 0);
    const whole = await recaudo.reports.get('collection', today);
    expect(whole.data.length).toBeGreaterThan(0);
    expect(await collect(recaudo.reports.rows('collection', today))).toEqual(whole.data);
    const csv = await new Response(await recaudo.reports.csv('collection', today)).text();
    expect(csv.trimEnd().split('\r\n')).toHaveLength(whole.data.length + 1);
    expect(await collect(recaudo.reports.rows('chargeback', '20-11-2026'))).toEqual([]);
    const future = recaudo.reports.rows('collection', inDays(service, 40)).next();
    await expect(future).rejects.toMatchObject({ status: 400 });
  });

  test('returns balances, account and helpers', async () => {
    expect(await recaudo.balances()).toHaveProperty('user_account_id', testAccount);
    expect(await recaudo.account()).toHaveProperty('id', testAccount);
    const [visa] = await recaudo.helpers.installments(1430.5);
    expect(visa).toHaveProperty('code', expect.stringMatching(/^\d+$/));
    const next = recaudo.helpers.nextBusinessDay({ date: '24-12-2026', days: 1 });
    expect(await next).toBe('2026-12-28T00:00:00-03:00');
  });
});

test('reads and moves the sandbox’s clock', async () => {
  const { now } = await recaudo.sandbox.clock.get();
  const moved = await recaudo.sandbox.clock.advance({ hours: 2 });
  expect(Date.parse(moved.now) - Date.parse(now)).toBeGreaterThanOrEqual(2 * 3_600_000);
});

test('registers a webhook, verifies its delivery, and reads and resends its event', async () => {
  const receiver = await openReceiver();
  const hook = await recaudo.webhooks.create({
    url: receiver.url,
    event_types: ['payment_request.paid'],
  });
  expect(await recaudo.webhooks.list()).toHaveLength(1);
  const after = await recaudo.events.latest();
  const { id } = await recaudo.paymentRequests.create(fields());
  await recaudo.sandbox.pay(id);
  await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBe(1);
  const [delivery] = receiver.received;
  if (!delivery) throw new Error('nothing was delivered');
  const event = await recaudo.webhooks.verify(delivery.headers, delivery.body, hook.secret);
  expect(event).toMatchObject({ event_type: 'payment_request.paid', entity_id: id });
  const rotated = await recaudo.webhooks.rotateSecret(hook.id);
  await expect(
    verifyWebhook(delivery.headers, delivery.body, rotated.secret),
  ).rejects.toMatchObject({ reason: 'signature_wrong' });

  const [fed] = await collect(recaudo.events.list({ after, type: 'payment_request.paid' }));
  expect(fed).toMatchObject({ entity_id: id });
  const eventId = fed?.id ?? 0;
  await recaudo.events.resend(eventId, { webhook_id: hook.id });
  expect(await recaudo.events.deliveries(eventId)).toHaveLength(1);
  expect(await recaudo.events.types()).toContainEqual({ id: 1, name: 'payment_request.paid' });
  expect(await recaudo.webhooks.delete(hook.id)).toMatchObject({ id: hook.id });
  await receiver.close();
});
