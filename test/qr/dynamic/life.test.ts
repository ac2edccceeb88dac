import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAccount } from '../../../src/audit/index.ts';
import { parsePayload, valueAt } from '../../../src/kernel/emv.ts';
import { dayIn, inDays } from '../../harness/builders/clock.ts';
import { callerOf, eventsOf, full, itemOf } from '../../harness/builders/qrs.ts';
import { expectQrError } from '../../harness/errors.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';

let service: TestService;
let qr: ReturnType<typeof callerOf>;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' });
  qr = callerOf(service);
});
afterAll(async () => {
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  await service.stop();
});

const saveOne = async (part: string, fields: Record<string, unknown> = {}): Promise<void> => {
  const answer = await qr.save([itemOf(service, part, fields)]);
  expect(answer.status, answer.text).toBe(201);
};

const statusOf = async (part: string): Promise<string> => (await qr.status(part)).body.status;

describe('a saved QR', () => {
  test('returns a saved QR’s id with the account’s prefix, and finds the QR even without it', async () => {
    const item = itemOf(service, 'first', {
      qr_type: 'dynamic',
      qr_name: 'Caja 1',
      postal_code: 'X5000ABC',
      payer_email: 'ana@example.com',
      second_due_date: inDays(service, 20),
      second_total: '1500.10',
      multiple_payment: 'false',
    });
    const saved = await qr.save([item]);
    expect(saved.status).toBe(201);
    expect(saved.body).toEqual({
      code: 'H001',
      message: 'Ok',
      total_count: 1,
      data: [{ id: full('first') }],
    });
    const read = await qr.status('first');
    expect(read.status).toBe(200);
    const { qr_string, image_url, image_svg_url, ...others } = read.body;
    const { created_at, created_at_time, updated_at, updated_at_time, ...rest } = others;
    expect(rest).toEqual({
      ...item,
      id: full('first'),
      account_id: testAccount,
      cuit: expect.stringMatching(/^[0-9]{11}$/),
      status: 'Pending',
      second_total: 1500.1,
      multiple_payment: false,
    });
    expect(created_at_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/);
    expect(created_at).toBe(dayIn(created_at_time));
    expect([updated_at, updated_at_time]).toEqual([created_at, created_at_time]);
    expect(image_url).toMatch(/^http.*\.png$/);
    expect(image_svg_url).toMatch(/^http.*\.svg$/);
    expect((await qr.status(full('first'))).text).toBe(read.text);
    const parsed = parsePayload(qr_string);
    if (!parsed.ok) throw new Error(parsed.fault);
    expect(valueAt(parsed.objects, '62', '01')).toBe(full('first'));
    expect(valueAt(parsed.objects, '60')).toBe('CORDOBA');
    expect(valueAt(parsed.objects, '54')).toBeNull();
  });

  test('encodes the amount only if there is a single one', async () => {
    await saveOne('one-amount', { first_total: '10.00' });
    const parsed = parsePayload((await qr.status('one-amount')).body.qr_string);
    expect(parsed.ok && valueAt(parsed.objects, '54')).toBe('10.00');
  });

  test('writes one event for a saved QR, which webhooks do not deliver', async () => {
    await saveOne('event');
    expect(await eventsOf(service, 'event')).toEqual([
      {
        entity: 'qr',
        entity_id: full('event'),
        version: 1,
        type: 'qr.created',
        queued: false,
        data: { state: 'pending', external_reference: 'ref event', amount: 1430.5 },
      },
    ]);
  });
});

describe('a payment', () => {
  test('collects the amount due for a payment, and shows it in the status and an event', async () => {
    await saveOne('paid', { first_total: 100 });
    const paid = await qr.pay('paid');
    expect(paid.status).toBe(200);
    expect(paid.body).toEqual({
      code: 'H007',
      message: 'Ok',
      qr_id: full('paid'),
      status: 'Paid',
    });
    const { body } = await qr.status('paid');
    expect(body).toMatchObject({
      status: 'Paid',
      request_id: expect.any(Number),
      paid_at: dayIn(body.paid_at_time),
      paid_at_time: expect.stringMatching(/-03:00$/),
      updated_at_time: expect.stringMatching(/-03:00$/),
    });
    // The service records a payment at that moment or later.
    expect(String(body.updated_at_time) >= String(body.paid_at_time)).toBe(true);
    expectQrError(await qr.pay('paid'), 409, 'H201');
    expectQrError(await qr.remove('paid'), 409, 'H201');
    expectQrError(await qr.edit('paid', itemOf(service, 'paid')), 409, 'H201');
    expect((await eventsOf(service, 'paid')).at(-1)).toMatchObject({
      type: 'qr.paid',
      queued: true,
      data: { state: 'paid', amount: 100, external_reference: 'ref paid' },
    });
  });

  test('marks a wholly refunded payment as Refunded, and refuses a later payment or deletion', async () => {
    await saveOne('back', { first_total: 100 });
    await qr.pay('back');
    const { request_id: requestId } = (await qr.status('back')).body;
    expect((await qr.refund(requestId, { amount: 40 })).status).toBe(200);
    expect((await qr.status('back')).body).toMatchObject({
      status: 'Paid',
      refunded_at: expect.stringMatching(/^\d\d-\d\d-\d{4}$/),
      refunded_at_time: expect.stringMatching(/-03:00$/),
    });
    expect((await qr.refund(requestId)).status).toBe(200);
    expect((await qr.status('back')).body).toMatchObject({
      status: 'Refunded',
      request_id: requestId,
      paid_at: expect.any(String),
    });
    expectQrError(await qr.pay('back'), 409, 'H204');
    expectQrError(await qr.remove('back'), 409, 'H204');
    expect((await eventsOf(service, 'back')).at(-1)).toMatchObject({
      type: 'qr.refunded',
      queued: true,
      data: { state: 'refunded' },
    });
  });

  test('stays Pending if the wallet refuses the payment', async () => {
    await saveOne('poor', { first_total: 100.91 });
    const answer = await qr.pay('poor');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ code: 'H008', status: 'Pending' });
    const { body } = await qr.status('poor');
    expect(body).not.toHaveProperty('paid_at');
    expect(body).not.toHaveProperty('request_id');
  });

  test('blocks edits, deletions and other payments during an unanswered payment', async () => {
    await saveOne('slow', { first_total: 100.94 });
    expect((await qr.pay('slow')).body).toMatchObject({ code: 'H009', status: 'Pending' });
    expectQrError(await qr.pay('slow'), 409, 'H205');
    expectQrError(await qr.remove('slow'), 409, 'H205');
    expectQrError(await qr.edit('slow', itemOf(service, 'slow')), 409, 'H205');
    const faults = expectQrError(await qr.removeMany(['slow']), 409, 'H105');
    expect(faults).toMatchObject([{ index: 0, id: full('slow') }]);
    expect((await qr.move({ hours: 25 })).status).toBe(200);
    expect(await statusOf('slow')).toBe('Paid');
  });

  test('counts payments of a multi-payment QR, which stays Pending', async () => {
    await saveOne('wall', { multiple_payment: 'true', first_total: 50 });
    expect((await qr.status('wall')).body.payments).toBe(0);
    for (const count of [1, 2]) {
      expect((await qr.pay('wall')).body).toMatchObject({ code: 'H007', status: 'Pending' });
      const { body } = await qr.status('wall');
      expect(body).toMatchObject({
        status: 'Pending',
        payments: count,
        request_id: body.request_id,
      });
      // The payment precedes its recording by a moment, possibly in the previous second.
      expect([body.paid_at_time, body.updated_at_time].toSorted()[0]).toBe(body.paid_at_time);
    }
    expect((await qr.remove('wall')).status).toBe(200);
    expect(await statusOf('wall')).toBe('Deleted');
  });

  test('accepts payers on a multi-payment QR while earlier payments are unanswered', async () => {
    await saveOne('queue', { multiple_payment: true, first_total: 50.94 });
    for (const _payer of [1, 2, 3]) expect((await qr.pay('queue')).body.code).toBe('H009');
    expectQrError(await qr.remove('queue'), 409, 'H205');
    await qr.move({ hours: 25 });
    expect((await qr.status('queue')).body).toMatchObject({ status: 'Pending', payments: 3 });
    expect((await qr.remove('queue')).status).toBe(200);
  });

  test('answers 404 to the payment or status of a missing QR', async () => {
    expectQrError(await qr.pay('nobody'), 404, 'H404');
    expectQrError(await qr.status('nobody'), 404, 'H404');
    expectQrError(await qr.status('BBBBBBBB-paid'), 404, 'H404');
  });
});

test('charges the second total after the first due date, and refuses payment once Expired', async () => {
  await saveOne('late', {
    first_due_date: inDays(service, 1),
    first_total: 100,
    second_due_date: inDays(service, 3),
    second_total: 110,
  });
  await saveOne('too-late', { first_due_date: inDays(service, 1) });
  const { clocks } = service.service.parts;
  await clocks.moveTo(clocks.business.now().add({ hours: 48 }));
  expect(await statusOf('too-late')).toBe('Expired');
  expectQrError(await qr.pay('too-late'), 409, 'H203');
  expectQrError(await qr.remove('too-late'), 409, 'H203');
  expectQrError(await qr.edit('too-late', itemOf(service, 'too-late')), 409, 'H203');
  // Whole items repeat the first due date, which may be past; any other date may not.
  const { body: late } = await qr.status('late');
  expect((await qr.edit('late', { ...late, payer_name: 'Eva' })).status).toBe(200);
  const faults = (await qr.edit('late', { ...late, first_due_date: inDays(service, -2) })).body;
  expect(faults.errors).toMatchObject([{ field: 'first_due_date' }]);
  const { first_due_date: due } = late;
  expect((await qr.status('late')).body).toMatchObject({ first_due_date: due, payer_name: 'Eva' });
  expect((await qr.pay('late')).body.status).toBe('Paid');
  const [row] = await service.sql<{ amount: number }[]>`
    select x.amount from results x join requests r
      on r.account_id = x.account_id and r.id = x.request_id
    where r.code = ${full('late')}`;
  expect(row?.amount).toBe(11_000);
  const moved = await qr.move({ minutes: 0 });
  expect(moved.body.happened).toContainEqual({ what: 'QRs expired', count: expect.any(Number) });
  expect((await eventsOf(service, 'too-late')).at(-1)).toMatchObject({
    type: 'qr.expired',
    queued: true,
  });
});

describe('a paid multi-payment QR', () => {
  const one = (part: string) => ({ id: part, multiple_payment: false });

  test('cannot become single-payment once paid, alone or in a batch, even after a refund', async () => {
    await saveOne('shop-wall', { multiple_payment: true });
    await saveOne('shop-other', { multiple_payment: true });
    expect((await qr.pay('shop-wall')).status).toBe(200);
    const wanted = '"multiple_payment" must stay true, because the QR was already paid.';
    for (const answer of [
      await qr.edit('shop-wall', one('shop-wall')),
      await qr.editMany([one('shop-wall'), one('shop-other')]),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([{ field: 'multiple_payment', message: wanted }]);
    }
    const { request_id } = (await qr.status('shop-wall')).body;
    expect((await qr.refund(request_id)).status).toBe(200);
    expect((await qr.edit('shop-wall', one('shop-wall'))).status).toBe(400);
    expect((await qr.edit('shop-other', one('shop-other'))).status).toBe(200);
    expect(await statusOf('shop-wall')).toBe('Pending');
  });

  test('applies other edits to future payments, and keeps past ones unchanged', async () => {
    await saveOne('shop-till', { multiple_payment: true, first_total: 100 });
    await qr.pay('shop-till');
    const edit = { id: 'shop-till', first_total: 250, description: 'Cuota nueva' };
    expect((await qr.edit('shop-till', edit)).status).toBe(200);
    await qr.pay('shop-till');
    const results = await service.sql`
      select amount, description from results
      where request_id = ${(await qr.status('shop-till')).body.request_id} order by id`;
    expect(results).toEqual([
      { amount: 10_000, description: 'Cuota de diciembre' },
      { amount: 25_000, description: 'Cuota nueva' },
    ]);
  });
});
