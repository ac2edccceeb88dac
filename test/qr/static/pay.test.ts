import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, createKey } from '../../../src/accounts/index.ts';
import { freePort } from '../../../src/platform/http/free-port.ts';
import { testOperator } from '../../harness/actors.ts';
import {
  staticBody,
  type Walls,
  wallsOf,
  withoutWorker,
} from '../../harness/builders/static-qrs.ts';
import { expectQrError } from '../../harness/errors.ts';
import { call, startService, type TestService } from '../../harness/service.ts';

let service: TestService;
let walls: Walls;
beforeAll(async () => {
  service = await startService(withoutWorker);
  walls = wallsOf(service);
});
afterAll(() => service?.stop());
afterEach(() => walls.audit());

const open = (fields: Record<string, unknown> = {}) =>
  walls.create({ qr_type: 'static_open_amount', ...fields });

const collected = async () =>
  (await service.sql`select 1 from results where type = 'collected'`).length;

describe('a closed amount', () => {
  test('collects a closed amount with a fee, and refunds it by its request_id', async () => {
    const wall = await walls.create();
    const id = await walls.asked(wall.qr_string, { first_total: 1000, external_reference: 'T-1' });
    await walls.pay(id);
    const { request_id } = await walls.status(id);
    const [result] = await service.sql`select * from results where request_id = ${request_id}`;
    expect(result).toMatchObject({ kind: 'qr', channel: 'qr', amount: 100_000, reference: 'T-1' });
    expect(result?.net_fee).toBeGreaterThan(0);
    const refunded = await service.call('POST', `/sandbox/refund/${request_id}`, { body: {} });
    expect([refunded.status, refunded.body.status]).toEqual([200, 'Refunded']);
    expect(await walls.status(id)).toMatchObject({
      status: 'Refunded',
      paid_at: expect.stringMatching(/^\d\d-\d\d-\d{4}$/),
      refunded_at: expect.stringMatching(/^\d\d-\d\d-\d{4}$/),
    });
    expect(await walls.events('qr', id)).toEqual(['qr.created', 'qr.paid', 'qr.refunded']);
    expectQrError(await walls.pay(id), 409, 'H204');
  });

  test('admits one of several concurrent payers of a closed amount', async () => {
    const wall = await walls.create();
    const id = await walls.asked(wall.qr_string);
    const before = await collected();
    const answers = await Promise.all([id, wall.id, id, wall.id].map((one) => walls.pay(one)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    expect((await collected()) - before).toBe(1);
  });

  test('either pays or expires a closed amount that races with the next transaction', async () => {
    const wall = await walls.create();
    for (let round = 0; round < 8; round += 1) {
      const id = await walls.asked(wall.qr_string, { first_total: 50 });
      const [paid, next] = await Promise.all([walls.pay(id), walls.ask(wall.qr_string)]);
      expect(next.status).toBe(200);
      const { status } = await walls.status(id);
      expect([paid.status, status]).toEqual(paid.status === 200 ? [200, 'Paid'] : [409, 'Expired']);
    }
  });

  test('refuses an amount other than the closed one', async () => {
    const wall = await walls.create();
    const id = await walls.asked(wall.qr_string, { first_total: 77 });
    expectQrError(await walls.pay(id, { first_total: 76.99 }), 400, 'H208');
    expect((await walls.pay(id, { first_total: 77 })).body.status).toBe('Paid');
  });

  test('stays payable after a wallet’s refusal, and collects an unanswered payment later', async () => {
    const wall = await walls.create();
    const refused = await walls.asked(wall.qr_string, { first_total: 10.91 });
    expect((await walls.pay(refused)).body).toEqual({
      code: 'H008',
      message: 'Insufficient funds.',
      qr_id: refused,
      status: 'Pending',
    });
    const late = await walls.asked(wall.qr_string, { first_total: 10.94 });
    expect((await walls.pay(late)).body).toMatchObject({ code: 'H009', status: 'Pending' });
    expectQrError(await walls.pay(late), 409, 'H205');
    await walls.move({ minutes: 5 });
    expect((await walls.status(late)).status).toBe('Expired');
    // The wallet took the money before the expiry, and received money is recorded.
    await walls.move({ days: 1 });
    expect((await walls.status(late)).status).toBe('Paid');
    expect(await walls.events('qr', late)).toEqual(['qr.created', 'qr.expired', 'qr.paid']);
  });
});

describe('an open amount', () => {
  test('accepts first_total for an open amount from any number of payers, each with a request', async () => {
    const wall = await open();
    expectQrError(await walls.pay(wall.id), 400, 'H207');
    expectQrError(await walls.pay(wall.id, { first_total: -1 }), 400, 'H103');
    const paid = await Promise.all(
      [10, 20.5, 30].map((first_total) => walls.pay(wall.id, { first_total })),
    );
    const ids = paid.map(({ body }) => body.qr_id);
    expect(new Set(ids).size).toBe(3);
    const shown = await Promise.all(ids.map((id) => walls.status(id)));
    expect(shown.map((one) => [one.status, one.first_total]).toSorted()).toEqual([
      ['Paid', 10],
      ['Paid', 20.5],
      ['Paid', 30],
    ]);
    expect((await walls.status(wall.id)).status).toBe('Pending');
  });

  test('collects nothing if the wallet refuses an open amount', async () => {
    const wall = await open();
    const before = await collected();
    const { body } = await walls.pay(wall.id, { first_total: 10.92 });
    expect([body.code, body.status]).toEqual(['H008', 'Pending']);
    await walls.move({ minutes: 3 });
    expect((await walls.status(body.qr_id)).status).toBe('Expired');
    expect(await collected()).toBe(before);
  });
});

describe('a single-payment static QR', () => {
  test('marks a single-payment static QR as Paid, and accepts no more payments', async () => {
    const wall = await walls.create({ multiple_payment: 'false' });
    const id = await walls.asked(wall.qr_string);
    await walls.pay(id);
    expect(await walls.status(wall.id)).toMatchObject({ status: 'Paid', multiple_payment: false });
    expectQrError(await walls.ask(wall.qr_string), 409, 'H201');
    expectQrError(await walls.pay(wall.id), 409, 'H206');
    const { request_id } = await walls.status(id);
    await service.call('POST', `/sandbox/refund/${request_id}`, { body: {} });
    expect((await walls.status(wall.id)).status).toBe('Refunded');
    expectQrError(await walls.ask(wall.qr_string), 409, 'H204');
  });

  test('admits one of many concurrent payers of an open amount', async () => {
    const wall = await open({ multiple_payment: 'false' });
    const before = await collected();
    const answers = await Promise.all(
      [10, 11, 12, 13].map((first_total) => walls.pay(wall.id, { first_total })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await collected()) - before).toBe(1);
    expect((await walls.status(wall.id)).status).toBe('Paid');
  });

  test('refuses further payers while a wallet has not answered', async () => {
    const wall = await open({ multiple_payment: 'false' });
    const { body } = await walls.pay(wall.id, { first_total: 10.94 });
    expect(body.code).toBe('H009');
    expectQrError(await walls.pay(wall.id, { first_total: 20 }), 409, 'H205');
    // The transaction has expired, but its wallet may still report a payment.
    await walls.move({ minutes: 5 });
    expect((await walls.status(body.qr_id)).status).toBe('Expired');
    expectQrError(await walls.pay(wall.id, { first_total: 20 }), 409, 'H205');
    await walls.move({ days: 1 });
    expect((await walls.status(wall.id)).status).toBe('Paid');
  });

  test('does not replace its amount while a wallet has not answered', async () => {
    const wall = await walls.create({ multiple_payment: 'false' });
    const id = await walls.asked(wall.qr_string, { first_total: 10.94 });
    expect((await walls.pay(id)).body.code).toBe('H009');
    expectQrError(await walls.ask(wall.qr_string), 409, 'H205');
  });
});

test('does not let a key simulate a payer in production', async () => {
  const port = await freePort('127.0.0.1');
  const production = await startService({
    ENVIRONMENT: 'production',
    PUBLIC_URL: 'https://pagos.example.com',
    BARCODE_CONVENTION: '5150000001',
    PORT: String(port),
    ROLES: 'qr',
  });
  try {
    const { base } = production.service.parts;
    const acting = { ...base, actor: testOperator };
    const account = await createAccount(acting, {
      id: null,
      name: 'Club Social y Deportivo',
      cuit: '30712345671',
      city: 'Rosario',
    });
    const key = await createKey(acting, {
      accountId: account.id,
      id: await base.recordIds.next(),
      environment: 'production',
      name: 'tests',
      permissions: ['read', 'write', 'sandbox'],
      expiresAt: null,
      secret: null,
    });
    const origin = `http://127.0.0.1:${port}`;
    const body = staticBody({ qr_type: 'static_open_amount' });
    expectQrError(await call(origin, 'POST', '/create-qr', { key, body }), 400, 'H106');
    const path = `/pay-qr-static/${account.id}-wall`;
    const paid = await call(origin, 'POST', path, { key, body: { first_total: 10 } });
    expectQrError(paid, 403, 'H403');
  } finally {
    await production.stop();
  }
});
