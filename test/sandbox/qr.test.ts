import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { type Walls, wallsOf, withoutWorker } from '../harness/builders/static-qrs.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
let walls: Walls;
let qr: ReturnType<typeof callerOf>;
beforeAll(async () => {
  service = await startService(withoutWorker);
  walls = wallsOf(service);
  qr = callerOf(service);
});
afterAll(() => service?.stop());
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

const act = (what: 'pay' | 'refund' | 'chargeback', id: number, body: unknown = {}) =>
  service.call('POST', `/sandbox/${what}/${id}`, { body });

/** Saves a QR. Returns its number, which the sandbox's calls use. */
async function saved(id: string, fields: Record<string, unknown> = {}): Promise<number> {
  await qr.save([itemOf(service, id, fields)]);
  const [row] = await service.sql<{ id: number }[]>`
    select id from requests where code = ${full(id)}`;
  return row?.id ?? 0;
}

test('pays, refunds and reverses a dynamic QR by number, and shows it as its GET does', async () => {
  const number = await saved('one', { first_total: 100 });
  const paid = await act('pay', number);
  expect([paid.status, paid.body.status, paid.body.request_id]).toEqual([200, 'Paid', number]);
  expect(paid.body).toEqual((await qr.status('one')).body);
  const part = await act('refund', number, { amount: 40 });
  expect([part.status, part.body.status]).toEqual([200, 'Paid']);
  expect((await act('refund', number)).body.status).toBe('Refunded');
  const other = await saved('two');
  await act('pay', other, { channel: 'qr' });
  expect((await act('chargeback', other)).body.status).toBe('Refunded');
});

test('adds a QR’s payment to the balances, less its fee', async () => {
  const balances = async () => (await service.call('GET', '/account/balances')).body;
  const before = await balances();
  await act('pay', await saved('balance', { first_total: 1000 }));
  const after = await balances();
  const gained =
    after.available_balance +
    after.unavailable_balance -
    before.available_balance -
    before.unavailable_balance;
  expect(gained).toBeGreaterThan(900);
  expect(gained).toBeLessThan(1000);
});

test('pays and shows a static QR’s transaction by number', async () => {
  const wall = await walls.create();
  const id = await walls.asked(wall.qr_string, { first_total: 25 });
  const { request_id } = await walls.status(id);
  const paid = await act('pay', request_id);
  expect([paid.status, paid.body.id, paid.body.status]).toEqual([200, id, 'Paid']);
  expect(paid.body).toEqual(await walls.status(id));
  expect((await act('chargeback', request_id)).body.status).toBe('Refunded');
});

test('pays .95, and reverses it the next day', async () => {
  const number = await saved('back', { first_total: 10.95 });
  expect((await act('pay', number)).body.status).toBe('Paid');
  await qr.move({ days: 1 });
  expect((await qr.status('back')).body.status).toBe('Refunded');
});

test('refuses another channel, another amount, or an unpayable QR', async () => {
  const number = await saved('fussy', { first_total: 100 });
  const channel = await act('pay', number, { channel: 'non_banking' });
  expect([channel.status, channel.body.children.channel.codes]).toEqual([
    400,
    ['sandbox.qr_channel'],
  ]);
  const amount = await act('pay', number, { amount: 99 });
  expect([amount.status, amount.body.children.amount.codes]).toEqual([
    400,
    ['sandbox.amount_not_due'],
  ]);
  expect((await act('pay', number, { amount: 100 })).status).toBe(200);
  const twice = await act('pay', number);
  expect([twice.status, twice.body.code]).toEqual([409, 409]);
  expect((await act('pay', 999_999_999)).status).toBe(404);
});
