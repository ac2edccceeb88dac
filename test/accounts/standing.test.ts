import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveAccount } from '../../src/accounts/index.ts';
import { setAccount } from '../../src/accounts/settings.ts';
import { centavos } from '../../src/kernel/money.ts';
import { payer, system } from '../../src/platform/actor.ts';
import { testOperator, testOperatorText } from '../harness/actors.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { createDebit } from '../harness/builders/debits.ts';
import { adhesionBody, cardAdhesionBody, signedAdhesion } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { sendPayout } from '../harness/money.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const move = async (to: 'suspend' | 'reopen' | 'close') => {
  const { base } = service.service.parts;
  const acting = { ...base, actor: testOperator };
  const order = { accountId: testAccount, move: to, reason: 'test' };
  const changed = await moveAccount(acting, order);
  return changed;
};

/** Polls until a process has applied the change, which it learns by notification. */
const until = async (ask: () => Promise<boolean>): Promise<void> => {
  await expect.poll(ask, { timeout: 20_000 }).toBe(true);
};

const create = () =>
  service.call('POST', '/payment-request', { body: paymentRequestBody(service) });
const statusOf = (path: string) => fetch(path).then(({ status }) => status);

test('limits a suspended account to reading and to payments from files, until it reopens', async () => {
  const { id, checkout_url } = (await create()).body;
  const paid = (await create()).body;
  await service.call('POST', `/sandbox/pay/${paid.id}`, { body: {} });
  const mandate = {
    adhesion: {
      adhesion_holder_name: 'Ana Pérez',
      email: 'ana+nosign@example.com',
      cbu_number: '2850590940090418135201',
      cbu_holder_name: 'Ana Pérez',
      cbu_holder_id_number: 30123456,
      description: 'Cuotas',
      short_description: 'Cuotas',
    },
  };
  await service.call('POST', '/adhesion', { body: mandate });
  expect(await move('suspend')).toBe(true);
  expect(await move('suspend')).toBe(false);
  await until(async () => (await create()).status === 403);
  const refused = await create();
  expect(refused.body).toMatchObject({ code: 403, message: expect.stringContaining('suspended') });
  expect((await service.call('GET', `/payment-request/${id}`)).status).toBe(200);
  expect((await service.call('GET', '/account/balances')).status).toBe(200);

  // Payers see the reason instead of a form; earlier payments stay visible.
  const page = await fetch(checkout_url);
  expect([page.status, await page.text()]).toEqual([
    403,
    expect.stringContaining('no se puede pagar en línea'),
  ]);
  expect(await statusOf(paid.checkout_url)).toBe(200);
  const { parts } = service.service;
  const online = parts.requests.pay.online({ accountId: testAccount, id }, {
    channel: 'debin',
    instrument: { type: 'bank', cbu: '2850590940090418135201' },
    actor: payer,
  } as never);
  await expect(online).rejects.toMatchObject({ kind: 'conflict' });

  await parts.requests.pay.offline(
    { accountId: testAccount, id },
    {
      channel: 'non_banking',
      amount: centavos(143050),
      paidAt: parts.clocks.business.now(),
      source: 'file',
      sourceRef: 'suspended-1',
      actor: system,
    },
  );
  expect((await service.call('GET', `/payment-request/${id}`)).body.state).toBe('paid');

  const acting = { ...parts.base, actor: testOperator };
  const payoutCbu = '2850590940090418135201';
  await setAccount(acting)({ accountId: testAccount, payoutCbu });
  const payout = { accountId: testAccount, amount: null, reference: 'p1', actor: testOperator };
  await expect(sendPayout(parts.base)(payout)).rejects.toThrow(/suspended/);

  expect(await move('reopen')).toBe(true);
  await until(async () => (await create()).status === 201);
});

test('answers 401 for a closed account, refuses to reopen it, and logs each change', async () => {
  const { checkout_url } = (await create()).body;
  expect(await move('close')).toBe(true);
  await until(async () => (await service.call('GET', '/account')).status === 401);
  const { body } = await service.call('GET', '/account');
  expect(body.message).toContain('closed');
  expect(await statusOf(checkout_url)).toBe(403);
  await expect(move('reopen')).rejects.toMatchObject({ kind: 'conflict' });
  const events = await service.sql<{ type: string; actor: string }[]>`
    select type, actor from events where entity = 'account' and actor = ${testOperatorText}
      and type <> 'account.changed' order by version`;
  expect(events.map(({ type }) => type)).toEqual([
    'account.suspended',
    'account.reopened',
    'account.closed',
  ]);
});

test('finishes closing an account in the next sweep after a crash', async () => {
  const own = await startService({ ROLES: 'payments' });
  try {
    const mandate = await signedAdhesion(own);
    const debit = (await createDebit(own, mandate)).body.id;
    const waiting = await own.call('POST', '/card-adhesion', {
      body: cardAdhesionBody({ email: 'ana+nosign@example.com' }),
    });
    const other = await anotherAccount(own);
    const body = adhesionBody();
    const theirs = await own.call('POST', '/adhesion', { body, key: other.key });
    expect([waiting.status, theirs.status]).toEqual([201, 201]);
    const { base, sweeper, clocks } = own.service.parts;
    // Simulates a crash right after the account was marked as closed.
    const order = { accountId: testAccount, move: 'close', reason: 'test' } as const;
    expect(await moveAccount({ ...base, actor: testOperator }, order)).toBe(true);
    const { happened } = await sweeper.advanceTo(clocks.business.now());
    expect(happened).toContainEqual({ what: 'mandates of closed accounts canceled', count: 2 });
    const rows = await own.sql<{ account_id: string; state: string; state_comment: string }[]>`
      select account_id, state, state_comment from mandates order by account_id = ${other.id}`;
    const ended = ['canceled', 'Canceled because the account was closed.'];
    expect(rows.map(({ state, state_comment }) => [state, state_comment])).toEqual([
      ended,
      ended,
      ['signed', null],
    ]);
    const [canceled] = await own.sql`select state from requests where id = ${debit}`;
    expect(canceled?.state).toBe('canceled');
    expect((await sweeper.advanceTo(clocks.business.now())).happened).toEqual([]);
  } finally {
    await own.stop();
  }
});
