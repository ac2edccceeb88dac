import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bodyFor, signedText } from '../../connectors/protocol/signature.ts';
import { moveAccount, setAccount } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { orderOf } from '../../src/connectors/order.ts';
import { centavos } from '../../src/kernel/money.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf } from '../scenarios/play.ts';
import {
  approvedAs,
  authorizedAs,
  type Call,
  type Play,
  type Played,
  playConnector,
} from './played.ts';

/**
 * Covers charges that are authorized first: captured if their request is payable, voided if not.
 */
let cards: Played;
let plays: Played['plays'];
let service: TestService;
let player: Player;
const amount = 143050;

beforeAll(async () => {
  cards = await playConnector('cards', [
    { channel: 'credit_card', captures: true, cancel: true },
    'DEBIN',
  ]);
  service = await startService({
    ROLES: 'payments,web',
    CONNECTORS: JSON.stringify([cards.configured()]),
  });
  await sealEvents(service);
  player = playerOf(service);
  plays = { ...cards.plays, charge: ({ attempt }) => held(attempt) };
});
afterAll(async () => {
  await service?.stop();
  await cards?.stop();
});
beforeEach(async () => {
  Object.assign(cards.plays, plays);
  cards.calls.length = 0;
  const { base } = service.service.parts;
  await setAccount({ ...base, actor: testOperator })({
    accountId: testAccount,
    returnsLateApprovals: true,
  });
});
const alarms = watchAlarms(() => service.sql);
afterEach(async () => {
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  await alarms.forget();
});

const held = (attempt: string | null, of = amount): Play =>
  authorizedAs(`ref-${attempt}`, of, service.service.parts.clocks.business.now());
const pending: Play = { json: { outcome: 'pending', ask_after_s: 86_400 } };
const lost: Play = (response) => response.destroy();

const pay = (id: number) => player.pay(id, { channel: 'credit_card' });
const endings = (): string[] =>
  cards.calls.flatMap(({ path }) => /\/(capture|void)$/.exec(path)?.[1] ?? []);
const attemptOf = (requestId: number): string =>
  String(cards.calls.find(({ body }) => body?.request?.id === String(requestId))?.attempt);
const resultsOf = async (id: number): Promise<[string, ...string[]]> => {
  const { state, request_result } = await player.get(id);
  const types = request_result.map(({ type }: { type: string }) =>
    type.replace('_payment_request_result', ''),
  );
  return [state, ...types];
};

async function tell(attempt: string): Promise<number> {
  const called = { method: 'POST', path: '/connectors/cards/notices' };
  const body = bodyFor(called.method, called.path, { type: 'charge.changed', attempt });
  const headers = { ...cards.signed(signedText({ ...called, body })) };
  return (await service.call('POST', called.path, { body, key: null, headers })).status;
}

/** Queries a charge that becomes authorized only after its request has changed. */
async function authorizedAfter(
  change: (id: number) => Promise<unknown>,
  fields: Record<string, unknown> = {},
): Promise<number> {
  cards.plays.charge = cards.plays.inquiry = () => pending;
  const id = await player.create(fields);
  await pay(id);
  await change(id);
  cards.plays.inquiry = ({ attempt }) => held(attempt);
  expect(await tell(attemptOf(id))).toBe(200);
  return id;
}

describe('captures an authorization', () => {
  test('captures in full before recording the payment, which can be refunded but not captured again', async () => {
    const before = await player.balances();
    const id = await player.create();
    let state = '';
    cards.plays.hold = (call) => async (response) => {
      state = (await resultsOf(id)).join();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(approvedAs(call.body.reference, call.body.amount).json));
    };
    await pay(id);
    expect([state, await resultsOf(id)]).toEqual(['pending', ['paid', 'collected']]);
    expect(await player.balances()).not.toEqual(before);
    const [charge, capture] = cards.calls;
    expect(charge?.body.authorize_only).toBe(true);
    expect(capture?.body).toMatchObject({ amount, reference: `ref-${attemptOf(id)}` });
    const refund = { body: { refund: { amount: 500 } } };
    const asked = await service.call('POST', `/payment-request/${id}/refund`, refund);
    expect(asked).toMatchObject({ body: { state: 'done' } });
    const back = cards.calls.find(({ path }) => path.includes('/refunds/'));
    expect(back?.body).toMatchObject({ charged: amount, reference: `ref-${attemptOf(id)}` });
    expect(await resultsOf(id)).toEqual(['paid', 'collected', 'refund']);
    // A lagging acquirer shows the hold again.
    cards.plays.inquiry = ({ attempt }) => held(attempt);
    expect(await tell(attemptOf(id))).toBe(200);
    expect(endings()).toEqual(['capture']);
  });

  test.each([
    ['was taken', (call: Call) => approvedAs(`ref-${call.attempt}`, amount), 1],
    ['is still held', (call: Call) => held(call.attempt), 2],
  ])('books the money once after a lost answer, if it %s', async (_what, inquiry, times) => {
    const id = await player.create();
    cards.plays.hold = () => lost;
    await pay(id);
    expect(await resultsOf(id)).toEqual(['pending']);
    expect(await auditAccount(service.sql, testAccount)).toEqual([]);
    expect((await pay(id)).status).toBe(409);
    const { checkout_url: url } = await player.get(id);
    expect(await (await fetch(url)).text()).toContain('Estamos confirmando tu pago');
    const steps = await timeline(id);
    expect(steps).toEqual(['created', 'tried', 'authorized', ...steps.slice(3)]);
    expect(JSON.parse((await holdsListed()).stdout)).toMatchObject([
      { account: testAccount, request: id, amount: '1430.50', ordered: 'capture' },
    ]);
    cards.plays.inquiry = inquiry;
    cards.plays.hold = plays.hold;
    await player.move({ minutes: 5 });
    expect(await resultsOf(id)).toEqual(['paid', 'collected']);
    expect(endings()).toHaveLength(times);
    expect(JSON.parse((await holdsListed()).stdout)).toEqual([]);
  });

  test.each(['9999-12-31T23:59:59.9999999Z', '2026-12-03T12:00:00.123999999Z'])(
    'captures an authorization whose expiry the database would round: %s',
    async (until) => {
      cards.plays.charge = ({ attempt }) => {
        const { json } = held(attempt) as { json: object };
        return { json: { ...json, expires_at: until } };
      };
      const id = await player.create();
      await pay(id);
      expect([await resultsOf(id), endings()]).toEqual([['paid', 'collected'], ['capture']]);
    },
  );

  test('captures after the payer acts, and never cancels while the capture is unconfirmed', async () => {
    const now = service.service.parts.clocks.business.now();
    const until = now.add({ minutes: 10 }).toString({ smallestUnit: 'millisecond' });
    const action = { kind: 'redirect', url: 'https://acs.example/1', until };
    cards.plays.charge = () => ({ json: { outcome: 'action_required', ...action } });
    const id = await player.create();
    await pay(id);
    cards.plays.inquiry = ({ attempt }) => held(attempt);
    cards.plays.hold = () => lost;
    expect(await tell(attemptOf(id))).toBe(200);
    cards.plays.inquiry = () => lost;
    const { checkout_url: url } = await player.get(id);
    expect(await (await fetch(url)).text()).toContain('Estamos confirmando tu pago');
    await player.move({ minutes: 20 });
    expect(cards.calls.filter(({ method }) => method === 'POST')).toEqual([]);
    cards.plays.inquiry = ({ attempt }) => approvedAs(`ref-${attempt}`, amount);
    expect(await tell(attemptOf(id))).toBe(200);
    expect(await resultsOf(id)).toEqual(['paid', 'collected']);
  });

  test('captures once, even if several notices arrive at once', async () => {
    cards.plays.charge = () => pending;
    const id = await player.create();
    await pay(id);
    cards.plays.inquiry = ({ attempt }) => held(attempt);
    const told = Array.from({ length: 4 }, () => tell(attemptOf(id)));
    expect(await Promise.all(told)).toEqual([200, 200, 200, 200]);
    expect(await resultsOf(id)).toEqual(['paid', 'collected']);
    expect(new Set(endings())).toEqual(new Set(['capture']));
    const [row] = await service.sql`
      select count(*)::int as holds from card_holds where request_id = ${id}`;
    expect(row).toEqual({ holds: 1 });
  });

  test('charges nothing if the acquirer refuses the capture, and lets the payer retry', async () => {
    const id = await player.create();
    cards.plays.hold = () => ({
      json: { outcome: 'rejected', code: '05', text: 'Blocked.', retry: 'never' },
    });
    await pay(id);
    expect(await resultsOf(id)).toEqual(['pending', 'rejected']);
    const [refused] = (await player.get(id)).request_result;
    expect(refused.state_comment).toBe('Blocked. Nothing was charged.');
    cards.plays.hold = plays.hold;
    await pay(id);
    expect(await resultsOf(id)).toEqual(['paid', 'rejected', 'collected']);
  });

  test('charges nothing if the authorization lapsed, and alerts the operator', async () => {
    const id = await player.create();
    cards.plays.hold = () => lost;
    await pay(id);
    cards.plays.inquiry = () => ({ json: { outcome: 'canceled' } });
    await player.move({ minutes: 5 });
    expect(await resultsOf(id)).toEqual(['pending', 'rejected']);
    expect(await alarms.kinds()).toContain('hold');
  });
});

describe('voids an unwanted authorization, without moving money or refunding', () => {
  const acting = () => ({ ...service.service.parts.base, actor: testOperator });

  const withdraw = (id: number) => {
    const { base, requests } = service.service.parts;
    const ctx = { accountId: testAccount, actor: testOperator, requestId: 'x' };
    return base.sql.begin(async (tx) => {
      const eventIds = [await base.recordIds.next()];
      await requests.withdraw(tx, ctx, { ids: [id], eventIds, comment: 'error' });
    });
  };

  test.each<[string, (id: number) => Promise<unknown>, string]>([
    ['paid in cash', (id) => player.pay(id, { channel: 'non_banking' }), 'paid'],
    ['withdrawn', (id) => withdraw(id), 'expired'],
    ['past due', () => player.move({ days: 2 }), 'expired'],
  ])('voids if the request was %s in between', async (_what, change, state) => {
    const id = await authorizedAfter(change, { first_due_date: dayIn(service, 1) });
    const [now, ...types] = await resultsOf(id);
    expect([now, types.at(-1)]).toEqual([state, 'rejected']);
    expect(types).not.toContain('refund');
    expect(endings()).toEqual(['void']);
    const result = (await player.get(id)).request_result.at(-1);
    expect(result.state_comment).toContain('Nothing was charged.');
    expect(await timeline(id)).toContain('authorization_voided');
    expect(await alarms.money()).toEqual([]);
  });

  test('voids if the account no longer accepts payments', async () => {
    const suspend = { accountId: testAccount, reason: 'test' };
    const id = await authorizedAfter(() => moveAccount(acting(), { ...suspend, move: 'suspend' }));
    await moveAccount(acting(), { ...suspend, move: 'reopen' });
    expect([await resultsOf(id), endings()]).toEqual([['pending', 'rejected'], ['void']]);
  });

  test('voids if the request excludes the card’s brand', async () => {
    cards.plays.charge = ({ attempt }) => {
      const { json } = authorizedAs(
        `ref-${attempt}`,
        amount,
        service.service.parts.clocks.business.now(),
      );
      return { json: { ...json, brand: 'mastercard', kind: 'credit' } };
    };
    const id = await player.create({ excluded_card_brands: ['41'] });
    await pay(id);
    expect([await resultsOf(id), endings()]).toEqual([['pending', 'rejected'], ['void']]);
  });

  test('voids if the amount differs, and alerts the operator', async () => {
    cards.plays.charge = ({ attempt }) => held(attempt, amount - 1);
    const id = await player.create();
    await pay(id);
    expect([await resultsOf(id), endings()]).toEqual([['pending', 'rejected'], ['void']]);
    expect(await alarms.kinds()).toEqual(['amount']);
  });

  test('voids if the attempt had ended, and repeats an unconfirmed void', async () => {
    cards.plays.charge = () => lost;
    const id = await player.create();
    await pay(id);
    cards.plays.inquiry = () => ({ status: 404, json: {} });
    await player.move({ minutes: 20 });
    cards.plays.inquiry = ({ attempt }) => held(attempt);
    cards.plays.hold = () => lost;
    expect(await tell(attemptOf(id))).toBe(200);
    cards.plays.hold = plays.hold;
    await player.move({ hours: 7 });
    await player.move({ days: 2 });
    expect([await resultsOf(id), endings()]).toEqual([['pending'], ['void', 'void']]);
    const [row] = await service.sql`select ask_at from card_holds where request_id = ${id}`;
    expect(row).toEqual({ ask_at: null });
  });
});

test('refunds a capture that happened just after its attempt ended', async () => {
  const id = await player.create();
  cards.plays.hold = () => async (response) => {
    // Simulates that another process ends the attempt while this one crashes.
    await service.sql`update attempts set state = 'done' where request_id = ${id}`;
    response.destroy();
  };
  await pay(id);
  cards.plays.inquiry = ({ attempt }) => approvedAs(`ref-${attempt}`, amount);
  await player.move({ days: 1 });
  expect(await resultsOf(id)).toEqual(['refunded', 'collected', 'refund']);
  const [row] = await service.sql`select ask_at from card_holds where request_id = ${id}`;
  expect(row).toEqual({ ask_at: null });
});

test('ends a hold unknown to the acquirer at its expiry, with an alarm, and lets the payer retry', async () => {
  cards.plays.hold = () => lost;
  const id = await player.create();
  await pay(id);
  cards.plays.inquiry = () => ({ status: 404, json: {} });
  await player.move({ days: 2 });
  expect(await resultsOf(id)).toEqual(['pending']);
  await player.move({ days: 7 });
  expect(await resultsOf(id)).toEqual(['pending', 'rejected']);
  expect(await alarms.kinds()).toContain('hold');
  cards.plays.hold = plays.hold;
  await pay(id);
  expect(await resultsOf(id)).toEqual(['paid', 'rejected', 'collected']);
});

describe('alerts the operator', () => {
  const expired = async () =>
    (await alarms.money())
      .filter(({ kind }) => kind === 'hold')
      .map(({ request_id, message }) => [request_id, message]);

  test('alerts about a hold that was captured instead of voided, and refunds it', async () => {
    cards.plays.hold = ({ body }) => approvedAs(body.reference, body.amount);
    const id = await authorizedAfter((one) => player.pay(one, { channel: 'non_banking' }));
    expect(endings()).toEqual(['void']);
    expect(await resultsOf(id)).toEqual(['paid', 'collected', 'collected', 'refund']);
    expect(await alarms.kinds()).toContain('hold');
  });

  test('alerts once about an expired hold that was neither captured nor voided, and still captures it', async () => {
    const id = await player.create();
    cards.plays.hold = () => lost;
    await pay(id);
    const [charge] = cards.calls;
    const first = held(charge?.attempt ?? null);
    cards.plays.inquiry = () => first;
    await player.move({ days: 8 });
    await player.move({ days: 1 });
    expect(await expired()).toEqual([
      [id, expect.stringContaining('Nobody confirmed its capture')],
    ]);
    cards.plays.hold = plays.hold;
    await player.move({ days: 1 });
    expect(await resultsOf(id)).toEqual(['paid', 'collected']);
  });

  test('alerts about an expired hold if the connector is unreachable, and records a later capture', async () => {
    cards.plays.hold = cards.plays.inquiry = () => lost;
    const id = await player.create();
    await pay(id);
    await player.move({ days: 9 });
    expect(await expired()).toEqual([
      [id, expect.stringContaining('Nobody confirmed its capture')],
    ]);
    cards.plays.inquiry = ({ attempt }) => approvedAs(`ref-${attempt}`, amount);
    await player.move({ days: 1 });
    expect(await resultsOf(id)).toEqual(['paid', 'collected']);
  });

  test('raises no alarm if an expired hold’s capture is confirmed', async () => {
    const until = service.service.parts.clocks.business.now().add({ seconds: 30 });
    cards.plays.charge = ({ attempt }) => {
      const { json } = held(attempt) as { json: object };
      return { json: { ...json, expires_at: until.toString({ smallestUnit: 'millisecond' }) } };
    };
    cards.plays.hold = () => lost;
    const id = await player.create();
    await pay(id);
    cards.plays.inquiry = ({ attempt }) => held(attempt);
    cards.plays.hold = plays.hold;
    await player.move({ minutes: 5 });
    expect(await resultsOf(id)).toEqual(['paid', 'collected']);
    expect(await expired()).toEqual([]);
  });

  test('raises an alarm if the void of a hold is still unconfirmed when the hold expires', async () => {
    cards.plays.charge = () => lost;
    const id = await player.create();
    await pay(id);
    cards.plays.inquiry = () => ({ status: 404, json: {} });
    await player.move({ minutes: 20 });
    cards.plays.inquiry = ({ attempt }) => held(attempt);
    cards.plays.hold = () => lost;
    expect(await tell(attemptOf(id))).toBe(200);
    cards.plays.inquiry = () => lost;
    await player.move({ days: 9 });
    expect(await expired()).toEqual([[id, expect.stringContaining('Nobody confirmed its void')]]);
  });

  test('alerts about a tampered hold order, and does not carry it out', async () => {
    const id = await player.create();
    cards.plays.hold = () => lost;
    await pay(id);
    cards.plays.inquiry = ({ attempt }) => held(attempt);
    await service.sql`
      update card_holds set ordered = 'void', why = 'late' where request_id = ${id}`;
    expect(await tell(attemptOf(id))).toBe(409);
    expect(endings()).toEqual(['capture']);
    expect((await alarms.money()).map(({ kind }) => kind)).toEqual(['forged_fact']);
    await service.sql`
      update card_holds set ordered = 'capture', why = null where request_id = ${id}`;
    cards.plays.hold = plays.hold;
    expect(await tell(attemptOf(id))).toBe(200);
    expect(await resultsOf(id)).toEqual(['paid', 'collected']);
  });
});

test('authorizes typed cards first, but charges a card on file in one step', () => {
  const now = service.service.parts.clocks.business.now();
  const card = { reference: 'card_7', channel: 'credit_card', brand: 'visa', bin: null } as const;
  const onFile = { reason: 'recurring', networkTransactionId: null } as const;
  const charge = {
    accountId: testAccount,
    attemptId: 1,
    requestId: 1,
    channel: 'card_debit',
    amount: centavos(amount),
    description: 'Cuota',
    reference: null,
    returnUrl: null,
    payer: { name: null, email: null, ip: null, userAgent: null },
    instrument: { type: 'kept_card', card: { ...card, lastFour: '4905', onFile } },
  } as const;
  const terms = { captures: true, businessTime: now, deadline: now, settings: {} };
  expect(orderOf(charge, terms)).not.toHaveProperty('authorize_only');
  const typed = { ...charge, channel: 'credit_card', instrument: { type: 'redirect' } } as const;
  expect(orderOf(typed, terms)).toHaveProperty('authorize_only', true);
});

test('rejects a manifest that captures anything but cards', async () => {
  const { manifest } = cards.plays;
  const faulty = { channel: 'DEBIN', refunds: ['whole'], cancel: false, captures: true };
  const [played] = [manifest()] as { json: { channels: object[] } }[];
  const times = { answers_within_s: 1, settles_within_s: 60 };
  cards.plays.manifest = () => ({ json: { ...played?.json, channels: [{ ...faulty, ...times }] } });
  const [connector] = service.service.parts.connectors.all;
  expect(await connector?.refresh()).toEqual({
    isValid: false,
    fault: expect.stringContaining('DEBIN cannot capture'),
  });
  cards.plays.manifest = manifest;
  await service.service.parts.connectors.refresh();
});

const timeline = async (id: number): Promise<string[]> => {
  const ctx = { accountId: testAccount, actor: { kind: 'user', id: 1 }, requestId: 'x' } as const;
  return (await service.service.parts.requests.timeline(ctx, id)).map(({ what }) => what);
};

const holdsListed = () =>
  recaudo(['connectors', 'holds', '--json'], { DATABASE_URL: service.databaseUrl });
