import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { crc16 } from '../../../src/kernel/emv.ts';
import { transactionState } from '../../../src/qr/static/state.ts';
import { dayIn } from '../../harness/builders/clock.ts';
import { type Walls, wallsOf, withoutWorker } from '../../harness/builders/static-qrs.ts';
import { expectQrError } from '../../harness/errors.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';

let service: TestService;
let walls: Walls;
beforeAll(async () => {
  service = await startService(withoutWorker);
  walls = wallsOf(service);
});
afterAll(() => service?.stop());
afterEach(() => walls.audit());

describe('new-transaction', () => {
  test('returns the transaction’s own QR id, whose status shows amount and expiry', async () => {
    const wall = await walls.create();
    const { status, body } = await walls.ask(wall.qr_string, {
      first_total: '99.90',
      external_reference: 'ticket 7',
    });
    expect([status, Object.keys(body)]).toEqual([200, ['code', 'message', 'qr_id']]);
    expect([body.code, body.message]).toEqual([200, 'Ok']);
    expect(body.qr_id).toMatch(new RegExp(`^${testAccount}-[0-9a-f]{16}$`));
    const shown = await walls.status(body.qr_id);
    expect(shown).toMatchObject({
      id: body.qr_id,
      static_id: wall.id,
      request_id: expect.any(Number),
      first_total: 99.9,
      external_reference: 'ticket 7',
      description: 'Entradas del museo',
      payer_name: 'Visitantes',
      status: 'Pending',
      qr_string: wall.qr_string,
      image_url: wall.image_url,
    });
    const lives = Date.parse(shown.expires_at) - Date.parse(shown.created_at_time);
    expect(lives).toBe(2 * 60_000);
    expect((await walls.status(wall.id)).transaction).toMatchObject({
      qr_id: body.qr_id,
      first_total: 99.9,
      status: 'Pending',
    });
    // Calls for dynamic QRs do not find it.
    expectQrError(await service.call('GET', `/status/${body.qr_id}`), 404, 'H404');
    expectQrError(await service.call('DELETE', `/delete-qr/${body.qr_id}`), 404, 'H404');
  });

  test('expires a transaction at the end of its period, and makes it unpayable', async () => {
    const wall = await walls.create();
    const id = await walls.asked(wall.qr_string, { active_period: 3 });
    await walls.move({ minutes: 2 });
    expect((await walls.status(id)).status).toBe('Pending');
    const { happened } = await walls.move({ minutes: 1 });
    expect(happened).toContainEqual({ what: 'static QR transactions expired', count: 1 });
    expect((await walls.status(id)).status).toBe('Expired');
    expect(await walls.status(wall.id)).not.toHaveProperty('transaction');
    expect(await walls.events('qr', id)).toEqual(['qr.created', 'qr.expired']);
    expectQrError(await walls.pay(id), 409, 'H203');
    expectQrError(await walls.pay(wall.id), 409, 'H206');
  });

  test('keeps a transaction valid until just before its expiry', () => {
    const end = Temporal.Instant.from('2026-12-05T12:00:00Z');
    const row = { state: 'pending', expires_at: end } as const;
    expect(transactionState(row, end.subtract({ milliseconds: 1 }))).toBe('pending');
    expect(transactionState(row, end)).toBe('expired');
    expect(transactionState({ ...row, state: 'paid' }, end)).toBe('paid');
  });

  test('expires a transaction by the clock alone, before any sweep', async () => {
    const wall = await walls.create();
    const id = await walls.asked(wall.qr_string);
    const [asked] = await service.sql<{ id: number; at: Temporal.Instant }[]>`
      select t.id, t.expires_at - interval '1 hour' as at from static_transactions t
      join requests r on r.account_id = t.account_id and r.id = t.id where r.code = ${id}`;
    await service.sql`
      update static_transactions set expires_at = ${asked?.at ?? null}
      where account_id = ${testAccount} and id = ${asked?.id ?? 0}`;
    expect((await walls.status(id)).status).toBe('Expired');
    expectQrError(await walls.pay(id), 409, 'H203');
    expect(await walls.status(wall.id)).not.toHaveProperty('transaction');
    await walls.move({ minutes: 0 });
    expect(await walls.events('qr', id)).toEqual(['qr.created', 'qr.expired']);
  });

  test('replaces the previous transaction, which expires at once', async () => {
    const wall = await walls.create();
    const first = await walls.asked(wall.qr_string, { first_total: 10 });
    const second = await walls.asked(wall.qr_string, { first_total: 20, active_period: 1440 });
    expect((await walls.status(first)).status).toBe('Expired');
    expectQrError(await walls.pay(first), 409, 'H203');
    const { status, body } = await walls.pay(wall.id);
    expect([status, body]).toEqual([
      200,
      { code: 'H007', message: 'Ok', qr_id: second, status: 'Paid' },
    ]);
    expect(await walls.events('qr', first)).toEqual(['qr.created', 'qr.expired']);
    expect(await walls.events('qr', second)).toEqual(['qr.created', 'qr.paid']);
    await walls.move({ days: 2 });
    expect((await walls.status(second)).status).toBe('Paid');
  });

  test('keeps exactly one of several concurrent transactions', async () => {
    const wall = await walls.create();
    const totals = [11, 12, 13, 14, 15];
    const ids = await Promise.all(
      totals.map((first_total) => walls.asked(wall.qr_string, { first_total })),
    );
    const states = await Promise.all(ids.map(async (id) => (await walls.status(id)).status));
    expect(states.toSorted()).toEqual(['Expired', 'Expired', 'Expired', 'Expired', 'Pending']);
    const live = ids[states.indexOf('Pending')];
    expect((await walls.status(wall.id)).transaction.qr_id).toBe(live);
  });

  test('accepts many payments in sequence, each with its own request_id', async () => {
    const wall = await walls.create();
    const requests = new Set<number>();
    for (const first_total of [100, 200, 300]) {
      const id = await walls.asked(wall.qr_string, { first_total });
      expect((await walls.pay(id)).body.status).toBe('Paid');
      const shown = await walls.status(id);
      expect(shown.paid_at_time).toMatch(/-03:00$/);
      expect(shown.paid_at).toBe(dayIn(shown.paid_at_time));
      requests.add(shown.request_id);
    }
    expect(requests.size).toBe(3);
    const shown = await walls.status(wall.id);
    expect([shown.status, typeof shown.paid_at]).toEqual(['Pending', 'string']);
  });

  test.each([
    ['first_total', undefined],
    ['first_total', 0],
    ['first_total', '1,50'],
    ['active_period', 0],
    ['active_period', 1441],
    ['active_period', 2.5],
    ['external_reference', 'x'.repeat(256)],
  ])('refuses %s = %j at its field', async (field, value) => {
    const wall = await walls.create();
    const answer = await walls.ask(wall.qr_string, { [field]: value });
    const errors = expectQrError(answer, 400, 'H103');
    expect(errors.map((fault) => fault.field)).toEqual([field]);
  });
});

describe('the text for new-transaction', () => {
  const signed = (text: string): string => {
    const covered = `${text.slice(0, -8)}6304`;
    return covered + crc16(covered);
  };

  test('refuses a text that has a wrong CRC, is truncated, or is not a code', async () => {
    const { id, qr_string } = await walls.create();
    const broken = [
      `${qr_string.slice(0, -1)}${qr_string.endsWith('0') ? '1' : '0'}`,
      qr_string.slice(0, -10),
      qr_string.replace('MUSEO', 'MUSEA'),
      'hello',
      signed(qr_string.replace('0002010102', '0002010103')),
    ].filter((text) => text !== qr_string);
    for (const text of broken) expectQrError(await walls.ask(text), 400, 'H311');
    expect(await walls.status(id)).not.toHaveProperty('transaction');
  });

  test('requires the text', async () => {
    const answer = await service.call('PUT', '/new-transaction', { body: { first_total: 10 } });
    expectQrError(answer, 400, 'H103');
  });

  test('finds no code of another account, of another acceptor or with an unknown id', async () => {
    const { qr_string } = await walls.create({ id: 'FOREIGN' });
    const texts = [
      signed(qr_string.replace(`${testAccount}-FOREIGN`, 'FFFFFFFF-FOREIGN')),
      signed(qr_string.replace('ar.recaudo', 'ar.another')),
      signed(qr_string.replace('FOREIGN', 'UNKNOWN')),
    ];
    for (const text of texts) expectQrError(await walls.ask(text), 404, 'H312');
  });

  test('refuses a dynamic QR, or an open amount', async () => {
    const { qr_string } = await walls.create({ id: 'STILL' });
    expectQrError(await walls.ask(signed(qr_string.replace('010211', '010212'))), 409, 'H313');
    const open = await walls.create({ qr_type: 'static_open_amount' });
    expectQrError(await walls.ask(open.qr_string), 409, 'H314');
  });
});
