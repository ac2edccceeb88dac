import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerOf, newAttempt, newSecret, orderOf, refundOf } from './caller.ts';
import { paywaySettings, privateKey, tokenFrom } from './payway.ts';
import { kill, paywayConnector, paywayEmulator, type Running, start } from './processes.ts';

let folder: string;
let emulator: Running;
let connector: Running;
const secret = newSecret();
const service = callerOf(() => connector.origin, secret);

const startEmulator = (port = '0'): Promise<Running> =>
  start(paywayEmulator, {
    EMULATOR_PORT: port,
    EMULATOR_DATA_DIR: path.join(folder, 'emulator'),
    EMULATOR_SLOW_MS: '600000',
    EMULATOR_HIDDEN_MS: '0',
  });

const startConnector = (): Promise<Running> =>
  start(paywayConnector, paywaySettings({ secret, folder, acquirer: emulator.origin }));

const acquirer = async (address: string) =>
  await (await fetch(`${emulator.origin}${address}`, { headers: { apikey: privateKey } })).json();
const booked = async (attempt: string): Promise<{ status: string }[]> =>
  (await acquirer(`/api/v2/payments?siteOperationId=T1-${attempt}`)).results;

async function chargeOf(number: string): Promise<Record<string, unknown> & { attempt: string }> {
  const token = await tokenFrom(`${emulator.origin}/api/v2`, number);
  const attempt = newAttempt();
  const instrument = { type: 'token', token, brand: 'visa', bin: number.slice(0, 6) };
  return { ...orderOf(attempt, { instrument }), attempt };
}

const put = (order: { attempt: string }) => service.call('PUT', `/charges/${order.attempt}`, order);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-crash-'));
  emulator = await startEmulator();
  connector = await startConnector();
});
afterAll(async () => {
  await Promise.all([emulator, connector].filter(Boolean).map(kill));
  await rm(folder, { recursive: true, force: true });
});

const slow = '4507990201000009';
const visa = '4507990000004905';

test('reports the outcome and does not charge again after a kill during the acquirer’s answer', async () => {
  const order = await chargeOf(slow);
  const sent = put(order).catch(() => null);
  await expect.poll(() => booked(order.attempt), { timeout: 20_000 }).toHaveLength(1);
  await kill(connector);
  expect(await sent).toBe(null);
  connector = await startConnector();
  const asked = await service.ask(`/charges/${order.attempt}`);
  expect(asked.body).toMatchObject({ outcome: 'approved', amount: 150_075 });
  expect((await put(order)).body).toEqual(asked.body);
  const changed = { ...order, amount: 1 };
  expect((await put(changed)).status).toBe(409);
  expect(await booked(order.attempt)).toHaveLength(1);
});

test('charges once or not at all after a kill at any step, and reports which', async () => {
  for (const delay of [0, 1, 2, 4, 8, 16, 32, 64]) {
    const order = await chargeOf(visa);
    const sent = put(order).catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, delay));
    await kill(connector);
    await sent;
    connector = await startConnector();
    const { body } = await service.ask(`/charges/${order.attempt}`);
    const taken = await booked(order.attempt);
    expect(['approved', 'pending', 'unheard']).toContain(body.outcome);
    expect(taken).toHaveLength(body.outcome === 'approved' ? 1 : 0);
    const again = await put(order);
    expect(await booked(order.attempt)).toHaveLength(again.body.outcome === 'approved' ? 1 : 0);
  }
}, 120_000);

test('keeps the acquirer’s answers after a kill, and refunds once despite a lost answer', async () => {
  const order = await chargeOf(visa);
  const { reference } = (await put(order)).body;
  const refund = refundOf(order.attempt, '1', reference, { amount: 50_013 });
  const address = `/charges/${order.attempt}/refunds/1`;
  expect((await service.call('PUT', address, refund)).status).toBe(502);
  await kill(emulator);
  await kill(connector);
  emulator = await startEmulator(new URL(emulator.origin).port);
  connector = await startConnector();
  expect((await service.ask(`/charges/${order.attempt}`)).body.outcome).toBe('approved');
  expect((await service.ask(address)).body).toMatchObject({ outcome: 'done' });
  expect((await service.call('PUT', address, refund)).body).toMatchObject({ outcome: 'done' });
  const { parent } = await acquirer(`/api/v2/payments/${reference}/refunds`);
  expect(parent.history).toMatchObject([{ amount: 50_013 }]);
});

test('refuses a second connector on the same journal, and names the locked file', async () => {
  await expect(startConnector()).rejects.toThrow(/journal\.sqlite.*belongs to one process/s);
});

test('reports every configuration fault at once', async () => {
  const wrong = start(paywayConnector, {
    CONNECTOR_PORT: '99999',
    PAYWAY_PREFIX: 'too-long-a-prefix',
  });
  const told = await wrong.catch((error: Error) => error.message);
  for (const name of ['CONNECTOR_PORT', 'CONNECTOR_SECRET', 'PAYWAY_URL', 'PAYWAY_PREFIX']) {
    expect(told).toContain(name);
  }
  expect(told).toContain('PAYWAY_PRIVATE_KEY must be set.');
});
