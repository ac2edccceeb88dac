import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { type Call, type Played, playConnector } from './played.ts';

// Covers more inquiries than one process sends to a connector at a time.

const withoutWorker = { ROLES: 'payments,web' };

let bank: Played;
let service: TestService;
let player: Player;
/** Inquiries that the connector has not answered yet. */
let held: { response: ServerResponse; call: Call }[];

const waiting = () => {
  const until = service.service.parts.clocks.business.now().add({ minutes: 15 }).toString();
  return { outcome: 'action_required', kind: 'show_qr', data: 'code', until };
};
const asked = (): string[] =>
  bank.calls.filter(({ method }) => method === 'GET').map(({ attempt }) => attempt ?? '');

beforeEach(async () => {
  held = [];
  bank = await playConnector('bank', [{ channel: 'DEBIN', cancel: true }]);
  service = await startService({
    ...withoutWorker,
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  player = playerOf(service);
  bank.plays.charge = () => ({ json: waiting() });
});
afterEach(async () => {
  const faults = await auditAccount(service.sql, testAccount);
  await service.stop();
  await bank.stop();
  expect(faults).toEqual([]);
});

const hold = () => {
  bank.plays.inquiry = (call) => (response) => held.push({ response, call });
};
const release = (json: object) => {
  for (const { response } of held.splice(0)) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(json));
  }
};

/** Starts charges that all fall due at once, as after an outage. */
async function begin(count: number): Promise<number[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => player.create()));
  for (const id of ids) await player.pay(id, { channel: 'DEBIN' });
  return ids;
}
const allDue = (at: Temporal.Instant) => service.sql`
  update attempts set ask_at = ${at}::timestamptz where state <> 'done'`;
const now = () => service.service.parts.clocks.business.now();

test('inquires about every due charge, though the connector is slow', async () => {
  await begin(40);
  await allDue(now());
  bank.plays.inquiry = () => (response) =>
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(waiting()));
    }, 100);
  await player.move({ minutes: 0 });
  expect(new Set(asked()).size).toBe(40);
  expect(await watchAlarms(() => service.sql).kinds()).toEqual([]);
});

test('neither cancels nor postpones a charge that it could not inquire about', async () => {
  await begin(18);
  hold();
  // The payers' steps have expired too.
  await service.sql`
    update attempts set action = jsonb_set(action::jsonb, '{until}', to_jsonb(${now()}::timestamptz))
    where state <> 'done'`;
  await allDue(now());
  const moving = player.move({ minutes: 0 });
  await expect.poll(() => held.length).toBe(16);
  const late = () => service.sql<{ minutes: number }[]>`
    select extract(epoch from ask_at - ${now()}::timestamptz) / 60 as minutes
    from attempts where state = 'unknown' and ask_at > ${now()}::timestamptz`;
  await expect.poll(async () => (await late()).length, { timeout: 9_000 }).toBe(2);
  expect((await late()).every(({ minutes }) => minutes <= 1)).toBe(true);
  expect(bank.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  expect(await watchAlarms(() => service.sql).kinds()).toEqual([]);
  release({ outcome: 'rejected', code: '51', text: 'No funds.', retry: 'never' });
  await moving;
}, 30_000);

test('inquires once for a payer who returns many times, and once for another payer', async () => {
  const [one, other] = await begin(2);
  const pathOf = async (id = 0) =>
    new URL((await player.get(id)).checkout_url).pathname.concat('/return');
  const [many, single] = [await pathOf(one), await pathOf(other)];
  hold();
  const back = Array.from({ length: 50 }, () => service.call('GET', many, { key: null }));
  await expect.poll(() => held.length).toBeGreaterThan(0);
  const [first] = asked();
  const beside = service.call('GET', single, { key: null });
  await expect.poll(() => asked().some((attempt) => attempt !== first)).toBe(true);
  release(waiting());
  const answers = await Promise.all([...back, beside]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
  expect(asked()).toHaveLength(2);
  expect((await service.call('GET', many, { key: null })).status).toBe(303);
  expect(asked()).toHaveLength(2);
});
