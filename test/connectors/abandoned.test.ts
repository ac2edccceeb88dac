import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { approvedAs, type Call, type Played, playConnector } from './played.ts';

// Covers payers who are redirected or shown a step, and return late or never.

/** Due work runs when a test moves the clock. */
const withoutWorker = { ROLES: 'payments,web' };

let bank: Played;
let service: TestService;
let player: Player;
/** Moment until which the payer of the last charge may act. */
let until: string;

beforeAll(async () => {
  // DEBIN can be canceled; transfers cannot.
  bank = await playConnector('bank', [
    { channel: 'DEBIN', cancel: true },
    { channel: 'qr', cancel: false },
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
beforeEach(() => {
  bank.calls.length = 0;
  bank.plays.cancel = () => ({ json: { outcome: 'canceled' } });
  bank.plays.inquiry = waiting;
  bank.plays.charge = (call) => {
    const begun = Temporal.Instant.from(call.body.business_time);
    until = begun.add({ minutes: 15 }).toString();
    return waiting();
  };
});
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

const waiting = () => ({
  json: { outcome: 'action_required', kind: 'show_qr', data: 'code', until },
});
const stillPending = () => ({ json: { outcome: 'pending', ask_after_s: 60 } });

const after = (minutes: number) => service.call('POST', '/sandbox/clock', { body: { minutes } });
const canceled = (): Call[] => bank.calls.filter(({ path }) => path.endsWith('/cancel'));

/** Creates a request whose payer has started to pay. Returns its page, too. */
async function begun(channel: 'DEBIN' | 'qr'): Promise<{ id: number; page: string }> {
  const id = await player.create();
  const { body } = await service.call('GET', `/payment-request/${id}`);
  await player.pay(id, { channel });
  return { id, page: new URL(body.checkout_url).pathname };
}

interface Result {
  type: string;
  state_comment?: string;
}
async function standing(id: number): Promise<[string, string[]]> {
  const { body } = await service.call('GET', `/payment-request/${id}`);
  const types = body.request_result.map((one: Result) => one.type.split('_')[0]);
  return [body.state, types];
}
const pageOf = async (path: string): Promise<string> =>
  (await service.call('GET', path, { key: null })).text;
const lastRefusal = async (id: number): Promise<Result> =>
  (await service.call('GET', `/payment-request/${id}`)).body.request_result.at(-1);

test('cancels an expired charge if the channel can, and lets the payer pay again', async () => {
  const { id, page } = await begun('DEBIN');
  await after(14);
  expect([await standing(id), canceled()]).toEqual([['pending', []], []]);
  await after(2);
  expect(await standing(id)).toEqual(['pending', ['rejected']]);
  expect(canceled()).toHaveLength(1);
  expect((await lastRefusal(id)).state_comment).toContain('did not finish');
  expect(await pageOf(`${page}/rejected`)).toContain('no se terminó a tiempo');
  bank.plays.charge = ({ attempt, body }) => approvedAs(`ref-${attempt}`, body.amount);
  await player.pay(id, { channel: 'DEBIN' });
  expect(await standing(id)).toEqual(['paid', ['rejected', 'collected']]);
});

test('records the payment if a cancellation finds the charge paid', async () => {
  const { id } = await begun('DEBIN');
  bank.plays.cancel = ({ attempt }) => approvedAs(`ref-${attempt}`, 143050);
  await after(16);
  expect(await standing(id)).toEqual(['paid', ['collected']]);
});

test.each([
  ['its outcome is unknown', { json: { outcome: 'pending', ask_after_s: 60 } }],
  ['it is refused', { status: 422, json: { message: 'Too late.' } }],
  ['the answer violates the protocol', { text: '<html>' }],
])('keeps the charge and retries the cancellation if %s', async (_what, said) => {
  const { id, page } = await begun('DEBIN');
  bank.plays.cancel = () => said;
  await after(16);
  expect(await standing(id)).toEqual(['pending', []]);
  expect(await pageOf(page)).not.toContain('name="channel"');
  bank.plays.cancel = () => ({ json: { outcome: 'canceled' } });
  await after(60);
  expect(await standing(id)).toEqual(['pending', ['rejected']]);
});

test('ends an uncancelable charge when the connector reports its expiry', async () => {
  const { id } = await begun('qr');
  await after(16);
  expect(canceled()).toEqual([]);
  expect(await standing(id)).toEqual(['pending', ['rejected']]);
});

test('gives a restarted step its own deadline', async () => {
  const { id } = await begun('qr');
  until = Temporal.Instant.from(until).add({ hours: 2 }).toString();
  await after(16);
  expect(await standing(id)).toEqual(['pending', []]);
  await after(121);
  expect(await standing(id)).toEqual(['pending', ['rejected']]);
});

test('keeps a charge open while the connector reports pending or gives no answer, and alerts the operator', async () => {
  const { id } = await begun('qr');
  bank.plays.inquiry = stillPending;
  await after(16);
  bank.plays.inquiry = () => ({ status: 503 });
  await after(4 * 24 * 60);
  expect(await standing(id)).toEqual(['pending', []]);
  const kinds = await watchAlarms(() => service.sql).kinds();
  expect(kinds).toContain('undecided');
});

test('records a repeated late approval once, as one more payment, with an alarm', async () => {
  const { id, page } = await begun('qr');
  await after(16);
  expect(await standing(id)).toEqual(['pending', ['rejected']]);
  bank.plays.charge = ({ attempt, body }) => approvedAs(`ref-${attempt}`, body.amount);
  await player.pay(id, { channel: 'DEBIN' });
  const [first] = bank.calls;
  bank.plays.inquiry = ({ attempt }) => approvedAs(`late-${attempt}`, 143050);
  for (let times = 0; times < 2; times += 1) {
    const notice = { type: 'charge.changed', attempt: first?.attempt };
    const path = '/connectors/bank/notices';
    const body = JSON.stringify({ ...notice, for: `POST ${path}` });
    const headers = { ...bank.signed(body) };
    expect((await service.call('POST', path, { body, key: null, headers })).status).toBe(200);
  }
  expect(await standing(id)).toEqual(['paid', ['rejected', 'collected', 'collected']]);
  const kinds = await watchAlarms(() => service.sql).kinds();
  expect(kinds).toContain('late_approval');
  expect(await pageOf(page)).not.toContain('name="channel"');
});

test('records one refusal when a late payer returns to two processes, and lets them pay again', async () => {
  const { id, page } = await begun('DEBIN');
  const beside = await startService({
    ...withoutWorker,
    DATABASE_URL: service.databaseUrl,
    CONNECTORS: JSON.stringify([bank.configured()]),
  });
  // The connector reports that the step has already expired, and no sweep has noticed yet.
  until = Temporal.Instant.from(until).subtract({ hours: 1 }).toString();
  const back = await Promise.all(
    [service, beside].map((one) => one.call('GET', `${page}/return`, { key: null })),
  );
  await beside.stop();
  expect(back.map(({ status }) => status)).toEqual([303, 303]);
  expect(await standing(id)).toEqual(['pending', ['rejected']]);
  const again = await service.call('GET', `${page}/return`, { key: null });
  expect([again.status, again.headers.get('location')]).toEqual([303, page]);
  expect(await pageOf(page)).toContain('name="channel"');
});
