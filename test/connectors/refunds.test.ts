import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { type Call, type Played, playConnector } from './played.ts';

let bank: Played;
let service: TestService;
let player: Player;
beforeAll(async () => {
  bank = await playConnector('bank', [
    'DEBIN',
    { channel: 'qr', refunds: [] },
    { channel: 'credit_card', refunds: ['whole'] },
  ]);
  service = await startService({
    ...withoutWorker,
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  player = playerOf(service);
});
afterAll(async () => {
  await service.stop();
  await bank.stop();
});
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

const paid = async (channel: string): Promise<number> => {
  const id = await player.create();
  await player.pay(id, { channel });
  bank.calls.length = 0;
  return id;
};
const refund = (id: number, body: object = {}) =>
  service.call('POST', `/payment-request/${id}/refund`, { body: { refund: body } });
const orders = (): Call[] => bank.calls.filter(({ method }) => method === 'PUT');

test('orders a refund from the connector that took the payment, by its reference', async () => {
  const id = await paid('DEBIN');
  const { status, body } = await refund(id, { amount: 430.5 });
  expect([status, body.state]).toEqual([201, 'done']);
  const [order] = orders();
  expect(order?.body).toMatchObject({
    refund: String(body.id),
    reference: `ref-${order?.body.attempt}`,
    charged: 143050,
    refunded_before: 0,
    amount: 43050,
    currency: 'ARS',
  });
});

test('refuses a partial refund on a channel that only refunds in full', async () => {
  const id = await paid('credit_card');
  const part = await refund(id, { amount: 430.5 });
  expect([part.status, part.text]).toEqual([400, expect.stringContaining('only in full')]);
  expect(orders()).toEqual([]);
  expect((await refund(id, { amount: 1430.5 })).body.state).toBe('done');
  expect(orders()).toHaveLength(1);
});

test('inquires after a lost answer, and repeats the order under its id if the acquirer does not know it', async () => {
  const id = await paid('DEBIN');
  const { refund: play } = bank.plays;
  bank.plays.refund = () => (response) => response.destroy();
  expect((await refund(id)).body.state).toBe('requested');
  bank.plays.refund = (call) =>
    call.method === 'GET' ? { status: 404, json: { message: 'unknown' } } : play(call);
  await player.move({ minutes: 3 });
  bank.plays.refund = play;
  expect(new Set(orders().map(({ path }) => path)).size).toBe(1);
  expect(orders()).toHaveLength(2);
  expect((await player.get(id)).state).toBe('refunded');
});

test('fails if the acquirer refuses, and leaves the request paid', async () => {
  const id = await paid('DEBIN');
  const { refund: play } = bank.plays;
  bank.plays.refund = () => ({ json: { outcome: 'failed', code: '12', text: 'Too late' } });
  expect((await refund(id)).body.state).toBe('failed');
  bank.plays.refund = play;
  expect((await player.get(id)).state).toBe('paid');
});

test('requires a CBU if the channel’s manifest excludes refunds', async () => {
  const id = await paid('qr');
  const { status, body } = await refund(id);
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('cbu')]);
  expect(orders()).toEqual([]);
});
