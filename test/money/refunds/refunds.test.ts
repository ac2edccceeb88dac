import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setAccount } from '../../../src/accounts/index.ts';
import { closeAccount } from '../../../src/composition/close-account.ts';
import { centavos } from '../../../src/kernel/money.ts';
import { setFees } from '../../../src/money/fees/index.ts';
import { requestRefund } from '../../../src/money/refunds/request.ts';
import { testOperator } from '../../harness/actors.ts';
import { anotherAccount } from '../../harness/builders/accounts.ts';
import { createDebit, handOver, settle } from '../../harness/builders/debits.ts';
import { cbuEndingIn, signedAdhesion } from '../../harness/builders/mandates.ts';
import { paymentRequestBody } from '../../harness/builders/payment-requests.ts';
import { itemOf } from '../../harness/builders/qrs.ts';
import { correct, sendPayout } from '../../harness/money.ts';
import { type Answer, startService, type TestService, testAccount } from '../../harness/service.ts';
import { dayIn, type Player, playerOf } from '../../scenarios/play.ts';

/** Covers a refund, from the call that requests it to the channel's report of its end. */
let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' });
  player = playerOf(service);
  await service.sql`update accounts set payout_cbu = '0170099220000067797370'`;
  // A refund also takes the retained fee, which other payments cover.
  await paid(10_000);
});
afterAll(() => service.stop());
afterEach(async () => {
  expect(await player.faults()).toEqual([]);
});

const cbu = '0170099220000067797370';
/** An account number whose bank refuses the transfer. */
const closedCbu = cbuEndingIn('9902');

const paid = async (amount = 1000, channel = 'credit_card'): Promise<number> => {
  const id = await player.create({ first_total: amount });
  expect((await player.pay(id, { channel })).body.state).toBe('paid');
  return id;
};

const refund = (id: number, fields: Record<string, unknown> = {}, key?: string): Promise<Answer> =>
  service.call('POST', `/payment-request/${id}/refund`, {
    body: { refund: fields },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });

const read = async (id: number, refundId: number): Promise<Answer['body']> =>
  (await service.call('GET', `/payment-request/${id}/refund/${refundId}`)).body;

/** Returns an act's effect on the available and the unavailable balance, in pesos. */
async function changeOf(act: () => Promise<unknown>): Promise<number[]> {
  const before = await player.balances();
  await act();
  const after = await player.balances();
  return after.map((amount, at) => Math.round((amount - (before[at] ?? 0)) * 100) / 100);
}

const typesOf = async (id: number): Promise<string[]> =>
  (await player.events(id)).map(({ type }) => type.replace('payment_request.', ''));

const setting = (change: { returnsFees?: boolean; refundsBelowZero?: boolean }) => {
  const { base } = service.service.parts;
  return setAccount({ ...base, actor: testOperator })({ accountId: testAccount, ...change });
};

test('refunds a card payment at once, and lists it in the day’s report', async () => {
  const id = await paid(1234.5);
  const { status, body } = await refund(id);
  expect(status).toBe(201);
  expect(body).toMatchObject({ state: 'done', amount: 1234.5 });
  const [payment] = (await player.get(id)).request_result;
  expect(body.result_id).toBe(payment.id);
  expect((await player.get(id)).state).toBe('refunded');
  expect(await typesOf(id)).toEqual(['created', 'paid', 'refund_requested', 'refunded']);
  expect(await read(id, body.id)).toEqual(body);
  const list = await service.call('GET', `/payment-request/${id}/refund`);
  expect(list.body).toEqual({ data: [body] });
  const today = dayIn(service, 0);
  const report = await service.call('GET', `/report/refund/${today}`);
  const mine = report.body.data.filter((one: { request_id: number }) => one.request_id === id);
  expect(mine).toEqual([expect.objectContaining({ refunded_amount: 1234.5 })]);
});

test('changes the balances exactly like a refund reported as done', async () => {
  for (const returnsFees of [false, true]) {
    await setting({ returnsFees });
    for (const [part, waitDays] of [
      [null, 0],
      [333.33, 0],
      [null, 40],
      [0.01, 40],
    ] as const) {
      const [one, other] = [await paid(), await paid()];
      await player.move({ days: waitDays });
      const booked = await changeOf(() => player.refund(one, part ? { amount: part } : {}));
      const asked = await changeOf(() => refund(other, part ? { amount: part } : {}));
      expect(asked).toEqual(booked);
    }
  }
  await setting({ returnsFees: false });
});

test('refunds an account’s only payment in full if fees are returned', async () => {
  const { id: accountId, key } = await anotherAccount(service);
  const acting = { ...service.service.parts.base, actor: testOperator };
  await setAccount(acting)({ accountId, returnsFees: true });
  const post = (path: string, body: unknown) => service.call('POST', path, { key, body });
  const { body: made } = await post('/payment-request', paymentRequestBody(service));
  expect((await post(`/sandbox/pay/${made.id}`, { channel: 'credit_card' })).status).toBe(200);
  const { status, body } = await post(`/payment-request/${made.id}/refund`, { refund: {} });
  expect([status, body.state]).toEqual([201, 'done']);
  const { body: left } = await service.call('GET', '/account/balances', { key });
  expect(left).toMatchObject({ available_balance: 0, unavailable_balance: 0 });
});

test('reserves the holder’s money until the refund is done, and refuses to refund it twice', async () => {
  const id = await paid(1000);
  const held = await changeOf(async () => {
    expect((await refund(id, { amount: 200.94 })).body.state).toBe('requested');
  });
  expect(held).toEqual([0, -200.94]);
  const more = await refund(id, { amount: 799.07 });
  expect(more.status).toBe(400);
  expect(more.body.children.amount.errors).toEqual([
    'The refund exceeds what is left of this payment. The maximum is 799.06.',
  ]);
  expect((await player.get(id)).state).toBe('paid');
  const ended = await changeOf(() => player.move({ days: 1 }));
  expect(ended).toEqual([0, 0]);
  expect(await typesOf(id)).toEqual(['created', 'paid', 'refund_requested', 'refunded']);
  expect((await player.get(id)).state).toBe('paid');
});

test('restores the balances after a failed refund, and records the failure once', async () => {
  const id = await paid(1000);
  const before = await changeOf(async () => {
    const { body } = await refund(id, { amount: 100.91 });
    expect(body).toMatchObject({ state: 'failed', state_comment: expect.stringContaining('fund') });
  });
  expect(before).toEqual([0, 0]);
  expect(await typesOf(id)).toEqual(['created', 'paid', 'refund_requested', 'refund_failed']);

  const cash = await paid(1000, 'non_banking');
  const asked = await refund(cash, { cbu });
  expect(asked.body).toMatchObject({ state: 'requested', cbu });
  const { end } = service.service.parts.refunds;
  const failed = {
    accountId: testAccount,
    id: asked.body.id,
    state: 'failed',
    comment: 'The account is closed.',
    actor: testOperator,
  } as const;
  expect(await end(failed)).toBe('ended');
  expect(await end(failed)).toBe('known');
  await expect(end({ ...failed, state: 'done' })).rejects.toThrow('The refund has already failed.');
  expect((await player.get(cash)).state).toBe('paid');
});

test('requires a CBU for a channel that cannot refund, and refuses one for others', async () => {
  const id = await paid(500, 'non_banking');
  const without = await refund(id);
  expect(without.status).toBe(400);
  expect(without.body.children.cbu.errors[0]).toContain(
    'cannot return this payment through Pago Fácil',
  );
  expect((await refund(id, { cbu: '123' })).body.children.cbu.errors[0]).toContain('not a CBU');
  const { body } = await refund(id, { cbu });
  expect(body).toMatchObject({ state: 'requested', amount: 500, cbu });
  await player.move({ minutes: 0 });
  expect(await read(id, body.id)).toMatchObject({ state: 'done' });
  expect((await player.get(id)).state).toBe('refunded');
  const [journal] = await service.sql<{ accounts: number[] }[]>`
    select j.accounts from journals j join results r on r.account_id = j.account_id
      and r.id = j.result_id and r.source = 'refund'
    where j.request_id = ${id} and j.kind = 'refund'`;
  expect(journal?.accounts).toContain(201);
  const card = await paid(500);
  const needless = await refund(card, { cbu });
  expect(needless.body.children.cbu.errors[0]).toContain('goes back through');
});

test('names every faulty field in a refusal, and lists every field of the form', async () => {
  const cash = await paid(500, 'non_banking');
  const both = await refund(cash, { amount: 600, cbu: '123' });
  expect([both.status, both.body.error_code]).toEqual([400, 'invalid_fields']);
  expect(both.body.children).toEqual({
    amount: {
      errors: [
        expect.stringContaining(
          'The refund exceeds what is left of this payment. The maximum is 500',
        ),
      ],
      codes: expect.any(Array),
    },
    result_id: {},
    cbu: { errors: [expect.stringContaining('not a CBU')], codes: ['refund.cbu_invalid'] },
  });
  const one = await refund(cash, { amount: 100 });
  expect([one.status, one.body.error_code]).toEqual([400, 'refund.cbu_missing']);
  expect(Object.keys(one.body.children)).toEqual(['amount', 'result_id', 'cbu']);
  expect([one.body.children.amount, one.body.children.result_id]).toEqual([{}, {}]);
});

test('reports a refund as failed if the bank refuses the transfer', async () => {
  const id = await paid(500, 'non_banking');
  const { body } = await refund(id, { cbu: closedCbu });
  expect(body.state).toBe('requested');
  await player.move({ minutes: 0 });
  expect(await read(id, body.id)).toMatchObject({
    state: 'failed',
    state_comment: expect.stringContaining('R02'),
  });
  expect((await player.get(id)).state).toBe('paid');
});

test('refunds once per idempotency key, even concurrently', async () => {
  const id = await paid(1000);
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => refund(id, { amount: 10 }, 'again')),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThan(0);
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
  expect((await refund(id, { amount: 10 }, 'again')).body).toEqual(made[0]?.body);
  expect((await refund(id, { amount: 11 }, 'again')).status).toBe(422);
  const { body } = await service.call('GET', `/payment-request/${id}/refund`);
  expect(body.data).toHaveLength(1);
});

test('never exceeds the payment with concurrent refunds', async () => {
  const id = await paid(100);
  const answers = await Promise.all(Array.from({ length: 8 }, () => refund(id, { amount: 30 })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
});

test('requires sufficient balances, unless the account may go below zero', async () => {
  const id = await paid(1000);
  await player.move({ days: 40 });
  await player.move({ minutes: 0 });
  const base = service.service.parts.base;
  await sendPayout(base)({
    accountId: testAccount,
    amount: null,
    reference: 'all of it',
    actor: testOperator,
  });
  const refused = await refund(id);
  expect(refused.status).toBe(409);
  expect(refused.body.message).toContain('including unavailable money');
  await setting({ refundsBelowZero: true });
  expect((await refund(id)).body.state).toBe('done');
  await setting({ refundsBelowZero: false });
});

test('accepts a refund that costs an overdrawn account nothing', async () => {
  const { base } = service.service.parts;
  const accountId = testAccount;
  const terms = {
    percentagePpm: 0,
    fixed: centavos(0),
    minimum: centavos(5_000),
    availableAfterDays: 1,
  };
  const from = base.clocks.business.today();
  const actor = testOperator;
  await setFees(base)({ accountId, channel: 'debit_card', from, terms, actor });
  await setting({ returnsFees: true });
  const id = await paid(1, 'debit_card');
  const amount = centavos(-9_000_000);
  const correction = { accountId, reference: 'below', note: 'n', actor };
  await correct(base)({ ...correction, amount });
  const answer = await refund(id);
  expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('"done"')]);
  await correct(base)({ ...correction, reference: 'above', amount: centavos(9_000_000) });
  await setting({ returnsFees: false });
});

test.each([false, true])(
  'records a chargeback during a refund, and the refund that completes later (fees returned: %s)',
  async (returnsFees) => {
    await setting({ returnsFees });
    await setting({ refundsBelowZero: true });
    const id = await paid(1000);
    const { body } = await refund(id, { amount: 400.94 });
    expect(body.state).toBe('requested');
    expect((await player.chargeback(id)).body.state).toBe('reverted');
    await player.move({ days: 1 });
    expect(await read(id, body.id)).toMatchObject({ state: 'done' });
    // Covers the holder's debt again.
    await paid(5000);
    const types = (await player.get(id)).request_result.map(({ type }: { type: string }) => type);
    expect(types).toEqual([
      'collected_payment_request_result',
      'chargeback_payment_request_result',
      'refund_payment_request_result',
    ]);
    expect((await player.get(id)).state).toBe('reverted');
    await setting({ refundsBelowZero: false });
    await setting({ returnsFees: false });
  },
);

test('orders a refund in the next sweep if the process died before ordering it', async () => {
  const id = await paid(750);
  const { parts } = service.service;
  const { online } = parts.connections;
  const { refund: row } = await requestRefund({ base: parts.base, connected: online })({
    key: { accountId: testAccount, id },
    kind: 'payment_request',
    resultId: null,
    amount: null,
    cbu: null,
    reference: 'died',
    actor: testOperator,
  });
  expect(row.state).toBe('requested');
  await player.move({ minutes: 3 });
  expect(await read(id, row.id)).toMatchObject({ state: 'done' });
});

test('refuses bad input, unknown payments, other kinds, wrong states and calls without a key', async () => {
  const id = await paid(100);
  expect((await refund(id, { amount: 0 })).body.children.amount.errors).toHaveLength(1);
  expect((await refund(id, { result_id: 12 })).status).toBe(404);
  expect((await refund(999_999_999)).status).toBe(404);
  const debit = await service.call('POST', `/debit-request/${id}/refund`, { body: { refund: {} } });
  expect(debit.status).toBe(404);
  expect((await service.call('GET', `/debit-request/${id}/refund`)).status).toBe(404);
  expect((await service.call('GET', `/payment-request/${id}/refund/5`)).status).toBe(404);
  const pending = await player.create();
  expect((await refund(pending)).status).toBe(409);
  expect((await refund(id)).status).toBe(201);
  expect((await refund(id)).body.message).toContain('A refund is not possible');
  const anonymous = await service.call('POST', `/payment-request/${id}/refund`, {
    key: null,
    body: { refund: {} },
  });
  expect(anonymous.status).toBe(401);
});

test('refunds debits and QRs the same way', async () => {
  const { body: debit } = await createDebit(service, await signedAdhesion(service));
  await handOver(service, debit.id);
  expect(await settle(service, debit.id, { paid: true })).toBe('paid');
  const back = await service.call('POST', `/debit-request/${debit.id}/refund`, {
    body: { refund: { cbu } },
  });
  expect(back.body.state).toBe('requested');
  await player.move({ minutes: 0 });
  const shown = await service.call('GET', `/debit-request/${debit.id}`);
  expect(shown.body.state).toBe('refunded');

  const item = itemOf(service, 'back1', { first_total: 1000 });
  await service.call('POST', '/save-qr-data', { body: { total_count: 1, data: [item] } });
  await service.call('POST', '/pay-qr/back1');
  const qr = await service.call('POST', '/refund-qr/back1', { body: { refund: {} } });
  expect(qr).toMatchObject({ status: 201, body: { state: 'done', amount: 1000 } });
  expect((await service.call('GET', '/status/back1')).body.status).toBe('Refunded');
  expect((await service.call('GET', `/refund-qr/back1/${qr.body.id}`)).body).toEqual(qr.body);
  expect((await service.call('GET', '/refund-qr/nobody')).status).toBe(404);
});

test('refuses new refunds and payouts of a suspended account, and completes refunds in progress', async () => {
  const id = await paid(1000);
  const { body } = await refund(id, { amount: 100.94 });
  await service.sql`update accounts set state = 'suspended' where id = ${testAccount}`;
  expect((await refund(id)).status).toBe(403);
  // Operators get the same code as API keys, for refunds and for payouts.
  const { base, refunds } = service.service.parts;
  const order = {
    key: { accountId: testAccount, id },
    kind: 'payment_request',
    resultId: null,
    amount: null,
    cbu: null,
    reference: 'suspended',
    actor: testOperator,
  } as const;
  const suspended = { errorCode: 'account_suspended', status: 403 };
  await expect(refunds.order(order)).rejects.toMatchObject(suspended);
  const payout = { accountId: testAccount, amount: null, reference: 'suspended' };
  const sent = sendPayout(base)({ ...payout, actor: testOperator });
  await expect(sent).rejects.toMatchObject(suspended);
  await player.move({ days: 1 });
  await service.sql`update accounts set state = 'active' where id = ${testAccount}`;
  expect(await read(id, body.id)).toMatchObject({ state: 'done' });
});

test('does not close an account during a refund', async () => {
  const id = await paid(1000);
  const { body } = await refund(id, { amount: 100.94 });
  const { base } = service.service.parts;
  const close = closeAccount(
    { base, actor: testOperator },
    { accountId: testAccount, reason: 'moved' },
  );
  await expect(close).rejects.toThrow('1 refund of the account is in progress');
  await player.move({ days: 1 });
  expect(await read(id, body.id)).toMatchObject({ state: 'done' });
});
