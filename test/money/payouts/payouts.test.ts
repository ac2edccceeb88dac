import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { setAccount } from '../../../src/accounts/index.ts';
import { centavos } from '../../../src/kernel/money.ts';
import { listPayouts, returnPayout } from '../../../src/money/payouts/index.ts';
import { testOperator, testOperatorText } from '../../harness/actors.ts';
import { correct, sendPayout } from '../../harness/money.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

const cbu = '2850590940090418135201';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());
afterEach(async () => expect(await player.faults()).toEqual([]));

const base = () => service.service.parts.base;
const pay = (reference: string, pesos: number | null) =>
  sendPayout(base())({
    accountId: testAccount,
    amount: pesos === null ? null : centavos(pesos * 100),
    reference,
    actor: testOperator,
  });
const give = (reference: string, pesos: number) =>
  correct(base())({
    accountId: testAccount,
    amount: centavos(pesos * 100),
    reference,
    note: 'a test',
    actor: testOperator,
  });
const change = (payoutCbu: string | null) =>
  setAccount({ ...base(), actor: testOperator })({ accountId: testAccount, payoutCbu });
const available = async (): Promise<number> => (await player.balances())[0];

test('requires a CBU and available money', async () => {
  await expect(pay('first', 1)).rejects.toThrow(/no CBU/);
  await change(cbu);
  await expect(pay('first', 1)).rejects.toThrow(/has 0\.00 available/);
  await expect(pay('first', null)).rejects.toThrow(/has 0\.00 available/);
  expect(await listPayouts(service.sql, testAccount, { after: 0, limit: 100 })).toEqual([]);
});

test('pays out a collection after its release, and never unavailable money', async () => {
  const id = await player.create({ first_total: 1000 });
  await player.pay(id, { channel: 'link_pagos' });
  await expect(pay('early', 1)).rejects.toMatchObject({ status: 409 });
  await player.move({ days: 7 });
  expect(await available()).toBe(981.85);
  await expect(pay('high', 981.86)).rejects.toThrow(/has 981\.85 available/);
  const { outcome, payout } = await pay('p-1', 500);
  expect(outcome).toBe('sent');
  expect(payout).toMatchObject({ amount: 50_000, cbu, state: 'sent' });
  expect(await available()).toBe(481.85);
  const { payout: rest } = await pay('p-2', null);
  expect(rest.amount).toBe(48_185);
  expect(await available()).toBe(0);
});

test('pays once per reference, with one amount', async () => {
  await give('g-1', 100);
  const first = await pay('again', 60);
  const second = await pay('again', 60);
  expect(second).toEqual({ outcome: 'known', payout: first.payout });
  expect((await pay('again', null)).outcome).toBe('known');
  await expect(pay('again', 40)).rejects.toThrow(/already belongs to a payout of 60\.00/);
  expect(await available()).toBe(40);
});

test('never overdraws the account with concurrent payouts', async () => {
  await give('g-2', 60);
  expect(await available()).toBe(100);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_one, no) => pay(`race-${no % 6}`, 30)),
  );
  const paid = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(new Set(paid.map(({ payout }) => payout.id)).size).toBe(3);
  expect(await available()).toBe(10);
});

test('makes a returned payout’s money available again, and only once', async () => {
  const { payout } = await pay('back', 10);
  const giveBack = (id: number) =>
    returnPayout(base())({
      accountId: testAccount,
      id,
      reason: 'account closed',
      actor: testOperator,
    });
  const outcomes = await Promise.all([giveBack(payout.id), giveBack(payout.id)]);
  expect(outcomes.toSorted()).toEqual(['known', 'returned']);
  expect(await available()).toBe(10);
  await expect(giveBack(999_999_999)).rejects.toMatchObject({ status: 404 });
  const last = (await listPayouts(service.sql, testAccount, { after: 0, limit: 100 })).at(-1);
  expect(last).toMatchObject({ state: 'returned', return_reason: 'account closed' });
});

test('links each payout’s journals to it, and writes its events', async () => {
  const { payout } = await pay('linked', 1);
  const journals = await service.sql`
    select kind, accounts, amounts, result_id from journals where cause = ${`payout:${payout.id}`}`;
  expect(journals).toEqual([
    { kind: 'payout', accounts: [2, 201], amounts: [100, -100], result_id: null },
  ]);
  const events = await service.sql`
    select version, type, actor, data from events
    where entity = 'payout' and entity_id = ${String(payout.id)}`;
  expect(events).toEqual([
    {
      version: 1,
      type: 'payout.sent',
      actor: testOperatorText,
      data: { amount: 1, reference: 'linked' },
    },
  ]);
});

test('refuses payouts and corrections for an unknown account', async () => {
  const nobody = { accountId: 'FFFFFFFF', reference: 'x', actor: testOperator };
  await expect(sendPayout(base())({ ...nobody, amount: null })).rejects.toMatchObject({
    status: 404,
  });
  await expect(
    correct(base())({ ...nobody, amount: centavos(1), note: 'x' }),
  ).rejects.toMatchObject({ status: 404 });
});

test('posts a correction once per reference, even to a negative balance', async () => {
  const before = await available();
  const outcomes = await Promise.all([give('minus', -500.5), give('minus', -500.5)]);
  expect(outcomes.toSorted()).toEqual(['known', 'posted']);
  expect(await available()).toBeCloseTo(before - 500.5, 2);
  await expect(give('minus', 500.5)).rejects.toThrow(/already belongs to a correction of -500\.50/);
  await expect(pay('debt', null)).rejects.toThrow(/-491\.50 available/);
  await give('plus', 500.5);
  await expect(
    service.sql`update corrections set amount = 1 where reference = 'minus'`,
  ).rejects.toThrow(/permission denied/);
});

test('refuses an invalid CBU or a CVU with the reason, and accepts null', async () => {
  await expect(change('2850590940090418135202')).rejects.toThrow(/22nd digit/);
  await expect(change('2810590940090418135201')).rejects.toThrow(/8th digit/);
  await expect(change('0000003100062244154712')).rejects.toThrow(/CVU/);
  await expect(change('285')).rejects.toThrow(/22 digits/);
  await expect(change('')).rejects.toThrow(/22 digits/);
  expect(await change(null)).toMatchObject({
    payout_cbu: null,
    returns_fees: false,
    card_cut_day: null,
  });
  await change(cbu);
});
