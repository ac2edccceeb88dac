import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { closeAccount } from '../../src/composition/close-account.ts';
import { countOpenAttempts } from '../../src/money/charges/index.ts';
import { testOperator } from '../harness/actors.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { approvedAs, type Play, type Played, playConnector } from './played.ts';

let bank: Played;
let other: Played;
let service: TestService;
let player: Player;
beforeAll(async () => {
  bank = await playConnector('bank', ['DEBIN']);
  other = await playConnector('other', ['DEBIN']);
  service = await startService({
    ROLES: 'payments,web',
    CONNECTORS: JSON.stringify([
      other.configured({ preference: 5 }),
      bank.configured({ preference: 1 }),
    ]),
  });
  player = playerOf(service);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([bank.stop(), other.stop()]);
});
const original = () => ({ ...bank.plays });
let plays: ReturnType<typeof original>;
beforeEach(() => {
  plays ??= original();
  Object.assign(bank.plays, plays);
  bank.calls.length = 0;
  other.calls.length = 0;
});
afterEach(async () => {
  await alarms.forget();
  await service.service.parts.connectors.refresh();
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
});

const payNow = (id: number) => player.pay(id, { channel: 'DEBIN' });
const alarms = watchAlarms(() => service.sql);
const alarmKinds = async () => {
  await expect.poll(async () => (await alarms.kinds()).length).toBeGreaterThan(0);
  return await alarms.kinds();
};
const puts = (of: Played) => of.calls.filter(({ method }) => method === 'PUT');

test('does not close an account while a charge waits for its outcome', async () => {
  bank.plays.charge = () => ({ json: { outcome: 'pending', ask_after_s: 60 } });
  await payNow(await player.create());
  const { base } = service.service.parts;
  const order = { accountId: testAccount, reason: 'moved' };
  const close = closeAccount({ base, actor: testOperator }, order);
  await expect(close).rejects.toThrow('1 charge of the account has no outcome yet');
  bank.plays.inquiry = () => ({
    json: { outcome: 'rejected', code: '51', text: 'No funds.', retry: 'never' },
  });
  await player.move({ minutes: 5 });
  // Leaves no pending charge for the other tests.
  expect(await countOpenAttempts(service.sql, testAccount)).toBe(0);
});

describe('a charge through a connector', () => {
  test('signs the order, names its account, and shows the acquirer’s references', async () => {
    bank.plays.charge = ({ body }) =>
      approvedAs(`7721017-${body.attempt}`, body.amount, {
        authorization_code: '153842',
        ticket: '7297',
        tid: 'tid-1',
      });
    const id = await player.create();
    expect((await payNow(id)).body.state).toBe('paid');
    const [call] = puts(bank);
    expect([call?.fault, puts(bank).length, puts(other).length]).toEqual([null, 1, 0]);
    expect(call?.body).toMatchObject({
      channel: 'DEBIN',
      amount: 143050,
      currency: 'ARS',
      account: { id: testAccount, settings: {} },
      request: { id: String(id) },
      instrument: { type: 'bank_account' },
    });
    expect(call?.attempt).toBe(call?.body.attempt);
    const [result] = (await player.get(id)).request_result;
    expect(result.payment_metadata).toMatchObject({
      authorization_code: '153842',
      ticket: '7297',
      tid: 'tid-1',
    });
    expect(result.payment_metadata.reference).toMatch(/^7721017-/);
  });

  test('shows the acquirer’s text for a refusal', async () => {
    bank.plays.charge = () => ({
      json: { outcome: 'rejected', code: '51', text: 'Sin fondos', retry: 'other_instrument' },
    });
    const id = await player.create();
    await payNow(id);
    const { state, request_result } = await player.get(id);
    expect([state, request_result[0].state_comment]).toEqual(['pending', 'Sin fondos']);
  });

  const html = '<html>down for maintenance</html>';
  test.each<[string, Play]>([
    ['never answers', () => {}],
    ['cuts the connection', (response) => response.destroy()],
    [
      'answers 100 MB',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const piece = Buffer.alloc(1024 * 1024, ' ');
        const go = (left: number): void => {
          if (left > 0 && !response.destroyed) response.write(piece, () => go(left - 1));
        };
        go(100);
      },
    ],
    ['answers HTML', { text: html, headers: { 'content-type': 'text/html' } }],
    ['answers an unknown outcome', { json: { outcome: 'settled' } }],
    ['answers an approval without an amount', { json: { outcome: 'approved', reference: '1' } }],
    [
      'redirects into a private network',
      {
        status: 307,
        headers: { location: 'http://169.254.169.254/latest/meta-data' },
        text: '',
      },
    ],
    ['fails', { status: 500, json: { message: 'no' } }],
    ['is busy', { status: 429, json: { message: 'no' } }],
    ['answers 409, as for other content', { status: 409, json: { message: 'differs' } }],
  ])('sends a charge once and then inquires if the connector %s', async (_how, play) => {
    bank.plays.charge = () => play;
    const id = await player.create();
    await payNow(id);
    expect((await player.get(id)).state).toBe('pending');
    expect((await payNow(id)).status).toBe(409);
    expect(await alarmKinds()).toHaveLength(1);
    bank.plays.inquiry = ({ attempt }) => approvedAs(`late-${attempt}`, 143050);
    await player.move({ minutes: 2 });
    const { state, request_result } = await player.get(id);
    expect([state, request_result.length, puts(bank).length]).toEqual(['paid', 1, 1]);
  });

  test('rejects a charge that the connector refuses with 422, and raises an alarm', async () => {
    bank.plays.charge = () => ({ status: 422, json: { message: 'no such account' } });
    const id = await player.create();
    await payNow(id);
    expect((await player.get(id)).request_result[0].type).toBe('rejected_payment_request_result');
    expect(await alarmKinds()).toEqual(['configuration']);
  });
});

describe('an unknown charge', () => {
  test('ends an unknown charge only after denials two and ten minutes after the call', async () => {
    bank.plays.charge = () => (response) => response.destroy();
    const id = await player.create();
    await payNow(id);
    await player.move({ minutes: 6 });
    expect((await payNow(id)).status).toBe(409);
    await player.move({ minutes: 10 });
    bank.plays.charge = plays.charge;
    expect((await payNow(id)).body.state).toBe('paid');
    expect((await player.get(id)).request_result).toHaveLength(1);
  });

  test('lets the payer retry at once if no connector was reachable', async () => {
    const gone = await playConnector('gone', ['DEBIN']);
    const alone = await startService({
      ...withoutWorker,
      CONNECTORS: JSON.stringify([gone.configured()]),
    });
    const here = playerOf(alone);
    const id = await here.create();
    await gone.stop();
    await here.pay(id, { channel: 'DEBIN' });
    const [open] = await alone.sql`select from attempts where state <> 'done'`;
    expect(open).toBeUndefined();
    expect((await here.get(id)).request_result).toEqual([]);
    await alone.stop();
  });
});

describe('answers that differ from the order', () => {
  test('records the charged amount if it differs, with an alarm', async () => {
    bank.plays.charge = ({ attempt }) => approvedAs(`less-${attempt}`, 100_000);
    const id = await player.create();
    await payNow(id);
    const { request_result } = await player.get(id);
    expect(request_result[0].amount).toBe(1000);
    expect(await alarmKinds()).toEqual(['amount']);
  });

  test('does not record two payments under one reference, and raises an alarm', async () => {
    bank.plays.charge = () => approvedAs('one-and-the-same', 143050);
    const [first, second] = [await player.create(), await player.create()];
    expect((await payNow(first)).body.state).toBe('paid');
    expect((await payNow(second)).body.state).toBe('pending');
    expect(await alarmKinds()).toEqual(['reference']);
    bank.plays.inquiry = ({ attempt }) => approvedAs(`own-${attempt}`, 143050);
    await player.move({ minutes: 2 });
    expect((await player.get(second)).state).toBe('paid');
  });

  test('records one more payment for a request that was paid another way in between', async () => {
    bank.plays.charge = () => ({ json: { outcome: 'pending', ask_after_s: 600 } });
    const id = await player.create();
    await payNow(id);
    await player.pay(id, { channel: 'non_banking' });
    bank.plays.inquiry = ({ attempt }) => approvedAs(`too-${attempt}`, 143050);
    await player.move({ minutes: 11 });
    const { state, request_result } = await player.get(id);
    expect([state, request_result.length]).toEqual(['paid', 2]);
  });
});

describe('a configuration fault', () => {
  test('switches the channel off until it is resumed, so that the next connector takes it', async () => {
    bank.plays.charge = () => ({
      json: { outcome: 'unheard', alarm: 'The key of the acquirer is refused' },
    });
    const id = await player.create();
    await payNow(id);
    expect(await alarmKinds()).toEqual(['configuration']);
    expect((await payNow(id)).body.state).toBe('paid');
    expect([puts(bank).length, puts(other).length]).toEqual([1, 1]);
    await alarms.forget();
    await service.service.parts.connectors.refresh();
    bank.plays.charge = plays.charge;
    await payNow(await player.create());
    expect(puts(bank)).toHaveLength(2);
  });

  test('removes the channel when both connectors have a fault, and leaves other ways to pay', async () => {
    const broken = () => ({ json: { outcome: 'unheard', alarm: 'no key' } });
    bank.plays.charge = broken;
    const before = { ...other.plays };
    other.plays.charge = broken;
    const id = await player.create();
    await payNow(id);
    await payNow(id);
    other.plays.charge = before.charge;
    expect((await payNow(id)).status).toBe(409);
    const { checkout_url: url } = await player.get(id);
    const page = await (await fetch(url)).text();
    expect(page).not.toContain('channel-DEBIN');
    expect(page).toContain('channel-non_banking');
    expect(await alarmKinds()).toHaveLength(2);
  });
});

test('switches a channel off only after three consecutive faults if each may concern a single charge', async () => {
  const ours = () => ({
    json: { outcome: 'rejected', code: '13', text: 'No.', retry: 'never', alarm: 'set-up' },
  });
  const payAll = async (count: number) => {
    for (let times = 0; times < count; times += 1) await payNow(await player.create());
  };
  bank.plays.charge = ours;
  await payAll(2);
  bank.plays.charge = plays.charge;
  await payAll(1);
  bank.plays.charge = ours;
  await payAll(3);
  expect([puts(bank).length, puts(other).length]).toEqual([6, 0]);
  await payAll(1);
  expect([puts(bank).length, puts(other).length]).toEqual([6, 1]);
});

describe('manifests', () => {
  test('stops using a channel that a new manifest drops, but ignores an invalid manifest', async () => {
    const { connectors } = service.service.parts;
    bank.plays.manifest = () => ({ json: { protocol: 1 } });
    await connectors.refresh();
    expect(connectors.channels.choose('DEBIN')?.name).toBe('bank');
    bank.plays.manifest = () => ({
      json: {
        protocol: 1,
        name: 'bank',
        version: '2',
        channels: [
          { channel: 'qr', refunds: [], cancel: false, answers_within_s: 1, settles_within_s: 60 },
        ],
        notices: [],
      },
    });
    await connectors.refresh();
    expect(connectors.channels.choose('DEBIN')?.name).toBe('other');
    bank.plays.manifest = plays.manifest;
    await connectors.refresh();
    expect(connectors.channels.choose('DEBIN')?.name).toBe('bank');
    expect(await alarmKinds()).toContain('manifest');
  });

  test('rejects a manifest whose label for payers is blank or has control characters', async () => {
    const connector = service.service.parts.connectors.all.find(
      ({ settings }) => settings.name === 'bank',
    );
    const { channels, ...rest } = Object(plays.manifest()).json;
    for (const [label, heard] of [
      ['Pagar con MODO', true],
      ['Pagar\u202e con MODO', false],
      ['Pagar\u0000', false],
      [' ', false],
    ] as const) {
      const browser = { kind: 'redirect', label };
      const labelled = channels.map((one: object) => ({ ...one, browser }));
      bank.plays.manifest = () => ({ json: { ...rest, channels: labelled } });
      expect((await connector?.refresh())?.isValid).toBe(heard);
    }
    bank.plays.manifest = plays.manifest;
    expect((await connector?.refresh())?.isValid).toBe(true);
  });

  test('refuses to start with a channel that the manifest does not offer', async () => {
    const CONNECTORS = JSON.stringify([bank.configured({ channels: ['DEBIN', 'qr'] })]);
    await expect(startService({ ...withoutWorker, CONNECTORS })).rejects.toThrow(
      'the manifest of bank does not offer qr',
    );
  });

  test('refuses to start with a brand that the manifest does not offer', async () => {
    const cards = await playConnector('cards', [{ channel: 'credit_card', brands: ['visa'] }]);
    const CONNECTORS = JSON.stringify([cards.configured({ brands: ['visa', 'amex'] })]);
    await expect(startService({ ...withoutWorker, CONNECTORS })).rejects.toThrow(
      'the manifest of cards does not offer cards of amex',
    );
    await cards.stop();
  });

  test('starts without an unreachable connector, which stays off', async () => {
    const gone = await playConnector('gone', ['DEBIN']);
    await gone.stop();
    const CONNECTORS = JSON.stringify([gone.configured()]);
    const alone = await startService({ ...withoutWorker, CONNECTORS });
    const here = playerOf(alone);
    const id = await here.create();
    expect((await here.pay(id, { channel: 'DEBIN' })).status).toBe(409);
    await alone.stop();
  });
});
