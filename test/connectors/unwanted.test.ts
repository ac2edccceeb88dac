import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bodyFor, signedText } from '../../connectors/protocol/signature.ts';
import { moveAccount, setAccount } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { loadCalendar } from '../../src/calendar/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { createAttemptVerbs } from '../../src/money/charges/index.ts';
import { batchedRecord, recordFacts } from '../../src/money/collections/index.ts';
import { checkUnwantedApprovals, createUnwantedApprovals } from '../../src/money/unwanted/index.ts';
import { payer } from '../../src/platform/actor.ts';
import { testOperator } from '../harness/actors.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { sendPayout } from '../harness/money.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { approvedAs, type Played, playConnector } from './played.ts';

/** Covers approvals that are no longer wanted, by the outcome that their account chose. */
let bank: Played;
let plays: Played['plays'];
let service: TestService;
let player: Player;
beforeAll(async () => {
  bank = await playConnector('bank', ['DEBIN', 'credit_card', 'debit_card']);
  plays = { ...bank.plays };
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
beforeEach(async () => {
  Object.assign(bank.plays, plays);
  bank.calls.length = 0;
  await returns(true);
});
afterEach(async () => {
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  await alarms.forget();
});

const returns = (returnsLateApprovals: boolean) => {
  const { base } = service.service.parts;
  return setAccount({ ...base, actor: testOperator })({
    accountId: testAccount,
    returnsLateApprovals,
  });
};
const payNow = (id: number, channel = 'DEBIN') => player.pay(id, { channel });
const attemptOf = (requestId: number): string =>
  String(bank.calls.find(({ body }) => body?.request?.id === String(requestId))?.attempt);
const refunds = () => bank.calls.filter(({ path }) => path.includes('/refunds/'));
const alarms = watchAlarms(() => service.sql);
const alarmKinds = alarms.kinds;

async function tell(attempt: string): Promise<number> {
  const called = { method: 'POST', path: '/connectors/bank/notices' };
  const body = bodyFor(called.method, called.path, { type: 'charge.changed', attempt });
  const headers = { ...bank.signed(signedText({ ...called, body })) };
  return (await service.call('POST', called.path, { body, key: null, headers })).status;
}
const nowApproved = () => {
  bank.plays.inquiry = ({ attempt }) => approvedAs(`late-${attempt}`, 143050);
};
const typesOf = async (id: number): Promise<string[]> =>
  (await player.get(id)).request_result.map(({ type }: { type: string }) =>
    type.replace('_payment_request_result', ''),
  );
const stateOf = async (id: number): Promise<string> => (await player.get(id)).state;

/** Creates a charge that the bank has not decided. */
async function waiting(): Promise<number> {
  bank.plays.charge = () => ({ json: { outcome: 'pending', ask_after_s: 86_400 } });
  const id = await player.create();
  await payNow(id);
  bank.plays.charge = plays.charge;
  return id;
}
async function refused(): Promise<number> {
  bank.plays.charge = () => ({
    json: { outcome: 'rejected', code: '51', text: 'No.', retry: 'same_later' },
  });
  const id = await player.create();
  await payNow(id);
  bank.plays.charge = plays.charge;
  return id;
}
async function unheard(): Promise<number> {
  bank.plays.charge = () => (response) => response.destroy();
  const id = await player.create();
  await payNow(id);
  bank.plays.charge = plays.charge;
  await player.move({ minutes: 20 });
  return id;
}

describe('refunds an approval once', () => {
  test('refunds an approval if the request was paid another way, and keeps the request paid', async () => {
    const id = await waiting();
    await player.pay(id, { channel: 'non_banking' });
    nowApproved();
    const attempt = attemptOf(id);
    expect(await Promise.all([tell(attempt), tell(attempt)])).toEqual([200, 200]);
    expect(await tell(attempt)).toBe(200);
    expect(await typesOf(id)).toEqual(['collected', 'collected', 'refund']);
    expect([await stateOf(id), refunds().length]).toEqual(['paid', 1]);
    expect(refunds()[0]?.body).toMatchObject({ amount: 143050, reference: `late-${attempt}` });
    const asked = await service.sql`
      select actor, data->>'reason' as reason from events
      where entity_id = ${String(id)} and type like '%refund_requested'`;
    expect(asked).toEqual([
      { actor: 'system', reason: expect.stringContaining('paid in another way') },
    ]);
  });

  test('refunds an approval after a refusal, even without a balance for the kept fee', async () => {
    const { base } = service.service.parts;
    await player.move({ days: 40 });
    const cbu = '0170099220000067797370';
    const acting = { ...base, actor: testOperator };
    await setAccount(acting)({ accountId: testAccount, payoutCbu: cbu });
    const out = { accountId: testAccount, amount: null, reference: 'all of it' };
    await sendPayout(base)({ ...out, actor: testOperator });
    expect((await player.balances()).reduce((sum, one) => sum + one)).toBe(0);
    const id = await refused();
    nowApproved();
    expect(await tell(attemptOf(id))).toBe(200);
    expect(await typesOf(id)).toEqual(['rejected', 'collected', 'refund']);
    expect([await stateOf(id), refunds().length]).toEqual(['refunded', 1]);
  });

  test('refunds an approval of a charge that was closed as unheard', async () => {
    const id = await unheard();
    nowApproved();
    expect(await tell(attemptOf(id))).toBe(200);
    expect(await typesOf(id)).toEqual(['collected', 'refund']);
  });

  test('reports a returned approval whose payment is missing from the books', async () => {
    const id = await unheard();
    nowApproved();
    const attempt = attemptOf(id);
    expect(await tell(attempt)).toBe(200);
    const undone = new Error('undone');
    const audited = service.sql.begin(async (tx) => {
      await tx`
        update results set source_ref = 'elsewhere'
        where request_id = ${id} and type = 'collected'`;
      expect(await checkUnwantedApprovals(tx, testAccount)).toEqual([
        `the unwanted approval of attempt ${attempt.split('-')[1]} does not match its payment`,
      ]);
      throw undone;
    });
    await expect(audited).rejects.toBe(undone);
  });

  test('refunds one of two approvals found at the same time', async () => {
    const id = await unheard();
    const first = attemptOf(id);
    bank.calls.length = 0;
    bank.plays.charge = () => ({ json: { outcome: 'pending', ask_after_s: 86_400 } });
    await payNow(id);
    const second = attemptOf(id);
    nowApproved();
    await Promise.all([tell(second), tell(first)]);
    const types = await typesOf(id);
    expect(types.toSorted()).toEqual(['collected', 'collected', 'refund']);
    expect([await stateOf(id), refunds()[0]?.body.reference]).toEqual(['paid', `late-${first}`]);
  });
});

describe('keeps an approval', () => {
  test('keeps every approval if the account records them all, which is the default', async () => {
    await returns(false);
    const id = await waiting();
    await player.pay(id, { channel: 'non_banking' });
    nowApproved();
    await tell(attemptOf(id));
    expect([await typesOf(id), refunds()]).toEqual([['collected', 'collected'], []]);
  });

  test('keeps an approval that came in time, even when repeated after a second payment', async () => {
    const id = await player.create();
    await payNow(id);
    const attempt = attemptOf(id);
    await player.pay(id, { channel: 'non_banking' });
    bank.plays.inquiry = () => approvedAs(`ref-${attempt}`, 143050);
    expect(await tell(attempt)).toBe(200);
    expect([await typesOf(id), refunds()]).toEqual([['collected', 'collected'], []]);
  });

  test('keeps a late approval if it is the only one, found while its attempt was open', async () => {
    const id = await waiting();
    nowApproved();
    await tell(attemptOf(id));
    expect([await stateOf(id), refunds()]).toEqual(['paid', []]);
  });

  test.each([
    ['refuses the refund', { json: { outcome: 'failed', code: '12', text: 'Too late' } }],
    ['refuses the refund in the end', { json: { outcome: 'pending', ask_after_s: 3600 } }],
  ])('keeps an approval on a channel that %s, and alerts the operator', async (_how, first) => {
    const id = await waiting();
    await player.pay(id, { channel: 'non_banking' });
    nowApproved();
    bank.plays.refund = () => first;
    await tell(attemptOf(id));
    bank.plays.refund = () => ({ json: { outcome: 'failed', code: '12', text: 'Too late' } });
    await player.move({ hours: 3 });
    expect(await typesOf(id)).toEqual(['collected', 'collected']);
    await expect.poll(alarmKinds).toContain('not_returned');
    const kept = (await alarms.money()).filter(({ kind }) => kind === 'not_returned');
    expect(kept).toMatchObject([
      { message: expect.stringMatching(/its refund \d+ failed$/), amount: 143050 },
    ]);
  });

  test('keeps an approval of a suspended account, and alerts the operator', async () => {
    const { base } = service.service.parts;
    const acting = { ...base, actor: testOperator };
    const id = await waiting();
    await player.pay(id, { channel: 'non_banking' });
    await moveAccount(acting, { accountId: testAccount, move: 'suspend', reason: 'test' });
    nowApproved();
    await tell(attemptOf(id));
    await moveAccount(acting, { accountId: testAccount, move: 'reopen', reason: 'test' });
    expect(await typesOf(id)).toEqual(['collected', 'collected']);
    await expect.poll(alarmKinds).toContain('not_returned');
  });
});

test('lets the next process refund if one crashes before the refund', async () => {
  const { base, connected, refunds: verbs, loadCardKinds } = service.service.parts;
  const { note } = createUnwantedApprovals({ base, connected, refunds: verbs });
  const id = await waiting();
  await player.pay(id, { channel: 'non_banking' });
  nowApproved();
  const [accountId = '', attemptId] = attemptOf(id).split('-');
  const dying = createAttemptVerbs(base, {
    connected,
    record: batchedRecord(
      base,
      recordFacts(base, () => loadCalendar(service.sql)),
    ),
    unwanted: { note, decide: () => Promise.reject(new Error('died')) },
    limits: { free: 3, pauseSeconds: 60, perDay: 10, perRequest: 30 },
    velocity: { address: 0, card: 0, bin: 0, account: 0 },
    loadCardKinds,
  });
  const attempt = { accountId, attemptId: Number(attemptId) };
  await expect(dying.ask(attempt, 'bank')).rejects.toThrow('died');
  expect([await typesOf(id), refunds()]).toEqual([['collected', 'collected'], []]);
  await Promise.all([player.move({ minutes: 6 }), service.service.parts.sweeper.tick()]);
  expect(await typesOf(id)).toEqual(['collected', 'collected', 'refund']);
  expect(refunds().filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

describe('a card that proves to be excluded, whatever the account’s settings', () => {
  const tokenOf = (channel: string) => ({
    channel,
    actor: payer,
    instrument: {
      type: 'token' as const,
      card: {
        token: 'tok',
        brand: null,
        bin: null,
        lastFour: null,
        holderName: null,
        holderEmail: null,
        plan: { installments: 1, each: centavos(143050), total: centavos(143050) },
      },
    },
  });
  const pay = (id: number) =>
    service.service.parts.requests.pay.online(
      { accountId: testAccount, id },
      tokenOf('credit_card') as never,
    );

  test.each([
    ['its brand', { excluded_card_brands: ['41'] }, { brand: 'mastercard', kind: 'credit' }],
    ['its kind', { excluded_channels: ['debit_card'] }, { brand: 'visa', kind: 'debit' }],
  ])('refunds a card excluded by %s', async (_what, excluded, told) => {
    await returns(false);
    bank.plays.charge = ({ attempt, body }) => approvedAs(`ref-${attempt}`, body.amount, told);
    const id = await player.create(excluded);
    expect(await pay(id)).toMatchObject({ outcome: 'rejected', code: 'returned' });
    expect(await typesOf(id)).toEqual(['collected', 'refund']);
    await expect.poll(alarmKinds).toContain('excluded_brand');
  });

  test('accepts a debit card if only the brand’s credit cards are excluded', async () => {
    bank.plays.charge = ({ attempt, body }) =>
      approvedAs(`ref-${attempt}`, body.amount, { brand: 'mastercard', kind: 'debit' });
    const id = await player.create({ excluded_card_brands: ['41'] });
    expect(await pay(id)).toMatchObject({ outcome: 'approved' });
    expect(await stateOf(id)).toBe('paid');
  });
});
