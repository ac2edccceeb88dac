import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { centavos } from '../../../src/kernel/money.ts';
import { type Reversal, reverse } from '../../../src/money/reversals/index.ts';
import { testOperator } from '../../harness/actors.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());
afterEach(async () => expect(await player.faults()).toEqual([]));

/** Returns a step's effect on the available and the unavailable balance, in centavos. */
async function change(step: () => Promise<unknown>): Promise<[number, number]> {
  const before = await player.balances();
  await step();
  const after = await player.balances();
  return [0, 1].map((at) => Math.round(((after[at] ?? 0) - (before[at] ?? 0)) * 100)) as [
    number,
    number,
  ];
}

const paid = async (total: number, channel = 'non_banking'): Promise<number> => {
  const id = await player.create({ first_total: total });
  await player.pay(id, { channel });
  return id;
};

const settings = (value: Record<string, unknown>) =>
  service.sql`
    update accounts set settings = ${JSON.stringify(value)}::text::jsonb where id = ${testAccount}`;

describe('a refund', () => {
  test('takes the gross amount for a full refund, keeps the fee and marks the request as refunded', async () => {
    const id = await paid(1000);
    const [available, unavailable] = await change(() => player.refund(id));
    expect(unavailable).toBe(-96_975);
    expect(available).toBe(-3_025);
    const { state, request_result } = await player.get(id);
    expect(state).toBe('refunded');
    expect(request_result[1]).toMatchObject({
      type: 'refund_payment_request_result',
      reversed_result_id: request_result[0].id,
      amount: 1000,
      net_fee: 0,
      fee_iva: 0,
      state_comment: expect.any(String),
      reverted_at: expect.any(String),
    });
    expect(request_result[1]).not.toHaveProperty('paid_at');
    expect(request_result[0]).not.toHaveProperty('reversed_result_id');
  });

  test('leaves the request paid until the last partial refund, and never exceeds the payment', async () => {
    const id = await paid(100);
    for (const amount of [33.33, 33.33]) {
      expect((await player.refund(id, { amount })).body.state).toBe('paid');
    }
    const { status, body } = await player.refund(id, { amount: 33.35 });
    expect(status).toBe(400);
    expect(body.children.amount.errors[0]).toContain('33.34');
    expect((await player.refund(id, { amount: 33.34 })).body.state).toBe('refunded');
    const again = await player.refund(id);
    expect(again.status).toBe(409);
    expect(again.body.message).toContain('refunded');
    const parts = (await player.get(id)).request_result.slice(1);
    expect(parts.map((part: { amount: number }) => part.amount)).toEqual([33.33, 33.33, 33.34]);
  });

  test('refunds the rest if no amount is given', async () => {
    const id = await paid(100);
    await player.refund(id, { amount: 0.01 });
    const { body } = await player.refund(id);
    expect([body.state, body.request_result[2].amount]).toEqual(['refunded', 99.99]);
  });

  test('leaves the request paid after a refund of one of two payments, and refunded after both', async () => {
    const id = await paid(100);
    await player.pay(id, { channel: 'link_pagos' });
    const [first, second] = (await player.get(id)).request_result;
    expect((await player.refund(id, { result_id: first.id })).body.state).toBe('paid');
    expect((await player.refund(id, { result_id: first.id })).status).toBe(409);
    expect((await player.refund(id, { result_id: second.id })).body.state).toBe('refunded');
  });

  test('accepts a new payment after a refund, which makes the request paid again', async () => {
    const id = await paid(100);
    await player.refund(id);
    expect((await player.pay(id)).body.state).toBe('paid');
  });

  test('answers a refund of an unpaid request with a conflict that names the state', async () => {
    const id = await player.create();
    const { status, body } = await player.refund(id);
    expect(status).toBe(409);
    expect(body.message).toContain('pending');
  });

  test('answers 404 to a refund of anything but a payment of this request', async () => {
    const [one, other] = [await paid(100), await paid(100)];
    const [result] = (await player.get(other)).request_result;
    expect((await player.refund(one, { result_id: result.id })).status).toBe(404);
    const { body } = await player.refund(other, { amount: 1 });
    const refundId = body.request_result[1].id;
    expect((await player.refund(other, { result_id: refundId })).status).toBe(404);
    expect((await player.refund(999_999)).status).toBe(404);
  });
});

describe('a chargeback', () => {
  test('takes a chargeback from the payment’s unavailable money first', async () => {
    const id = await paid(1000);
    expect(await change(() => player.chargeback(id))).toEqual([-3_025, -96_975]);
    expect((await player.get(id)).state).toBe('reverted');
  });

  test('takes a chargeback after the release from the available balance, even below zero', async () => {
    await player.move({ days: 15 });
    const id = await paid(1_000_000);
    expect(await change(() => player.move({ days: 15 }))).toEqual([96_975_000, -96_975_000]);
    expect(await change(() => player.chargeback(id))).toEqual([-100_000_000, 0]);
    const [available] = await player.balances();
    expect(available).toBeLessThan(0);
  });

  test('accepts a chargeback after a partial or full refund, and keeps a refunded request’s state', async () => {
    const part = await paid(100);
    await player.refund(part, { amount: 40 });
    const { body } = await player.chargeback(part);
    expect([body.state, body.request_result[2].amount]).toEqual(['reverted', 100]);
    const whole = await paid(100);
    await player.refund(whole);
    expect(await change(() => player.chargeback(whole))).toEqual([-10_000, 0]);
    const { state, request_result } = await player.get(whole);
    expect(state).toBe('refunded');
    expect(request_result[2]).toMatchObject({
      type: 'chargeback_payment_request_result',
      reversed_result_id: request_result[0].id,
    });
  });

  test('refuses a refund or a second chargeback after a chargeback', async () => {
    const id = await paid(100);
    await player.chargeback(id);
    for (const answer of [await player.refund(id), await player.chargeback(id)]) {
      expect(answer.status).toBe(409);
      expect(answer.body.message).toContain('reverted');
    }
  });

  test('leaves the request paid after a chargeback of one of two payments, and reverted after both', async () => {
    const id = await paid(100);
    await player.pay(id);
    expect((await player.chargeback(id)).body.state).toBe('paid');
    expect((await player.chargeback(id)).body.state).toBe('reverted');
  });
});

describe('withholdings and fees that are returned', () => {
  beforeAll(async () => {
    await service.sql`
      insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm, known_since)
      select cuit, 'SIRTAC', 'Salta', '2020-01-01', 33333,
        ${service.service.parts.clocks.business.now()}::timestamptz
      from accounts
      where id = ${testAccount}`;
  });

  test('returns withholdings in proportion, and in total exactly the withheld amount', async () => {
    const id = await paid(100);
    for (const amount of [33.33, 33.33, 33.34]) await player.refund(id, { amount });
    const { retentions } = await player.get(id, '?detail_retentions=true');
    const [withheld, ...back] = retentions;
    expect(withheld).toMatchObject({ base: 100, amount: 3.33 });
    expect(back.map((line: { base: number }) => line.base)).toEqual([-33.33, -33.33, -33.34]);
    expect(back.map((line: { amount: number }) => line.amount)).toEqual([-1.11, -1.11, -1.11]);
  });

  test('returns only the remaining base and amount in a chargeback after a partial refund', async () => {
    const id = await paid(100);
    await player.refund(id, { amount: 40 });
    await player.chargeback(id);
    const { retentions } = await player.get(id, '?detail_retentions=true');
    const sum = (name: 'base' | 'amount') =>
      retentions.reduce(
        (total: number, line: Record<typeof name, number>) => total + Math.round(line[name] * 100),
        0,
      );
    expect([sum('base'), sum('amount')]).toEqual([0, 0]);
  });

  test('returns fees and VAT in proportion if the account’s settings say so', async () => {
    await settings({ returns_fees: true });
    const id = await paid(100);
    const [result] = (await player.get(id)).request_result;
    expect([result.net_fee, result.fee_iva]).toEqual([2.5, 0.53]);
    const moved = await change(async () => {
      for (const amount of [33.33, 33.33, 33.34]) await player.refund(id, { amount });
    });
    expect(moved).toEqual([0, -9_364]);
    const parts = (await player.get(id)).request_result.slice(1);
    const sum = (name: string) =>
      parts.reduce((total: number, part: Record<string, number>) => {
        return total + Math.round((part[name] ?? 0) * 100);
      }, 0);
    expect([sum('net_fee'), sum('fee_iva'), sum('amount')]).toEqual([-250, -53, 10_000]);
    const [fees, vat] = await service.sql<{ amount: number }[]>`
      select sum(line.amount)::bigint as amount from journals,
        unnest(accounts, amounts) as line (account, amount)
      where request_id = ${id} and line.account in (3, 4)
      group by line.account order by line.account`;
    expect([fees?.amount, vat?.amount]).toEqual([0, 0]);
    await settings({});
  });
});

describe('the operator’s reference', () => {
  const tell = (request: number, reference: string, more: Partial<Reversal> = {}) =>
    reverse(service.service.parts.base)({
      key: { accountId: testAccount, id: request },
      type: 'refund',
      resultId: null,
      amount: centavos(1_000),
      actor: testOperator,
      source: 'operator',
      sourceRef: reference,
      comment: 'by hand',
      ...more,
    });

  test('counts a reference once, even when repeated concurrently', async () => {
    const id = await paid(100);
    const told = await Promise.all([tell(id, 'r-1'), tell(id, 'r-1')]);
    expect(told.map(({ outcome }) => outcome).toSorted()).toEqual(['known', 'recorded']);
    expect((await player.get(id)).request_result).toHaveLength(2);
  });

  test('refuses a reference with another amount, kind, payment or request, and changes nothing', async () => {
    const [id, other] = [await paid(100), await paid(100)];
    await tell(id, 'r-2');
    const before = await player.balances();
    const attempts = [
      () => tell(id, 'r-2', { amount: centavos(2_000) }),
      () => tell(id, 'r-2', { type: 'chargeback', amount: null }),
      () => tell(id, 'r-2', { resultId: 999_999_999 }),
      () => tell(other, 'r-2'),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toThrow(
        'The reference r-2 already belongs to another movement',
      );
    }
    expect(await player.balances()).toEqual(before);
    expect((await player.get(other)).state).toBe('paid');
  });
});
