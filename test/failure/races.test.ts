import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { midnightOf } from '../../src/kernel/dates.ts';
import { centavos } from '../../src/kernel/money.ts';
import { sealAccount } from '../../src/money/ledger/index.ts';
import { system } from '../../src/platform/actor.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import {
  type Answer,
  call,
  startService,
  type TestService,
  testAccount,
} from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let first: TestService;
let second: TestService;
let player: Player;
beforeAll(async () => {
  first = await startService(withoutWorker);
  second = await startService({ ...withoutWorker, DATABASE_URL: first.databaseUrl });
  player = playerOf(first);
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});
afterEach(async () => expect(await player.faults()).toEqual([]));

/** Calls both processes in turn, all at once. */
const callBoth = (times: number, path: string, body: (turn: number) => unknown) =>
  Promise.all(
    Array.from({ length: times }, (_none, turn) =>
      call(turn % 2 === 0 ? first.origin : second.origin, 'POST', path, { body: body(turn) }),
    ),
  );

const countOf = (answers: Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

const times = <T>(count: number, make: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_none, turn) => make(turn)));

const sumOf = (results: { type: string; amount: number }[], type: string): number =>
  results
    .filter((result) => result.type.startsWith(type))
    .reduce((sum, result) => sum + Math.round(result.amount * 100), 0);

describe('calls that race in two processes', () => {
  test('collects once for concurrent payments on an online channel', async () => {
    for (const channel of ['credit_card', 'debit_card', 'DEBIN', 'qr']) {
      const id = await player.create();
      const answers = await callBoth(6, `/sandbox/pay/${id}`, () => ({ channel }));
      expect(countOf(answers, 200)).toBe(1);
      expect(countOf(answers, 409)).toBe(5);
      const { state, request_result } = await player.get(id);
      expect([state, request_result.length]).toEqual(['paid', 1]);
    }
  });

  test('records a fact once even if many reports arrive at once', async () => {
    const id = await player.create();
    const key = { accountId: testAccount, id };
    const now = first.service.parts.clocks.business.now();
    await times(10, (turn) =>
      (turn % 2 === 0 ? first : second).service.parts.requests.pay.offline(key, {
        channel: 'non_banking',
        amount: centavos(143_050),
        paidAt: now,
        source: 'network',
        sourceRef: `line of ${id}`,
        actor: system,
      }),
    );
    expect((await player.get(id)).request_result).toHaveLength(1);
    expect((await player.events(id)).map((event) => event.version)).toEqual([1, 2]);
  });

  test('records different facts about one request, each with its event', async () => {
    const id = await player.create();
    const answers = await callBoth(12, `/sandbox/pay/${id}`, () => ({ channel: 'link_pagos' }));
    expect(countOf(answers, 200)).toBe(12);
    expect((await player.get(id)).request_result).toHaveLength(12);
    const versions = (await player.events(id)).map((event) => event.version);
    expect(versions).toEqual(Array.from({ length: 13 }, (_none, at) => at + 1));
  });

  test('never refunds more than was collected', async () => {
    const id = await player.create({ first_total: 100 });
    await player.pay(id);
    const answers = await callBoth(10, `/sandbox/refund/${id}`, () => ({ amount: 30 }));
    expect(countOf(answers, 200)).toBe(3);
    const { state, request_result } = await player.get(id);
    expect([state, sumOf(request_result, 'refund')]).toEqual(['paid', 9_000]);
  });

  test('accepts one chargeback and at most one refund of a payment', async () => {
    const id = await player.create({ first_total: 100 });
    await player.pay(id);
    const [refunds, chargebacks] = await Promise.all([
      callBoth(3, `/sandbox/refund/${id}`, () => ({})),
      callBoth(3, `/sandbox/chargeback/${id}`, () => ({})),
    ]);
    expect(countOf(chargebacks, 200)).toBe(1);
    expect(countOf(refunds, 200)).toBeLessThanOrEqual(1);
  });

  test('pays a request whose payment races with its expiry', async () => {
    const ids = await times(60, () => player.create());
    const ends = midnightOf(first.service.parts.clocks.business.today().add({ days: 11 }));
    await player.move({ advance_to: ends.subtract({ milliseconds: 200 }).toString() });
    await Promise.all([
      callBoth(2, '/sandbox/clock', () => ({ minutes: 1 })),
      ...ids.map((id) => player.pay(id)),
    ]);
    for (const id of ids) {
      const { state, request_result } = await player.get(id);
      expect([state, request_result.length]).toEqual(['paid', 1]);
    }
  });

  test('takes a refund from the balance that has the money, even during the release', async () => {
    const { clocks, sweeper } = second.service.parts;
    await player.move({ days: 30 });
    const [available, unavailable] = await player.balances();
    expect(unavailable).toBe(0);
    const ids = await times(60, () => player.create({ first_total: 100 }));
    await Promise.all(ids.map((id) => player.pay(id, { channel: 'DEBIN' })));
    const releasing = sweeper.tick();
    await Promise.all([releasing, ...ids.map((id) => player.refund(id, { amount: 60 }))]);
    await sweeper.tick();
    const [availableAfter, unavailableAfter] = await player.balances();
    expect(unavailableAfter).toBe(0);
    const each = 100 - 0.8 - 0.17 - 60;
    expect(availableAfter - available).toBeCloseTo(60 * each, 2);
    const [row] = await first.sql<{ wrong: number }[]>`
      select count(*)::int as wrong from results where unreleased <> 0`;
    expect(row?.wrong).toBe(0);
    expect(clocks.business.today()).toEqual(first.service.parts.clocks.business.today());
  });

  test('finishes concurrent moves of the clock, even with more moves than connections', async () => {
    const before = first.service.parts.clocks.business.now();
    const answers = await callBoth(24, '/sandbox/clock', () => ({ hours: 1 }));
    expect(countOf(answers, 200)).toBe(24);
    const passed = before.until(first.service.parts.clocks.business.now(), { largestUnit: 'hour' });
    expect(passed.hours).toBeGreaterThanOrEqual(1);
  });

  test('counts every journal once while sealers run during posting', async () => {
    const ids = await times(20, () => player.create());
    let posting = true;
    const seal = async (): Promise<void> => {
      while (posting) {
        await times(3, () => sealAccount(first.sql, testAccount));
      }
    };
    const sealing = seal();
    await Promise.all(ids.map((id) => player.pay(id)));
    await Promise.all(ids.map((id) => player.refund(id, { amount: 1 })));
    posting = false;
    await sealing;
    expect(await player.faults()).toEqual([]);
  });
});

test('leaves faultless books after a thousand mixed calls at once', async () => {
  const ids = await times(40, () => player.create({ first_total: 500 }));
  const statuses = new Map<number, number>();
  const channels = ['non_banking', 'qr', 'credit_card', 'wire_transfer'];
  const one = async (turn: number): Promise<void> => {
    const origin = turn % 2 === 0 ? first.origin : second.origin;
    const id = ids[(turn * 7) % ids.length];
    const kinds: (() => Promise<Answer>)[] = [
      () =>
        call(origin, 'POST', '/payment-request', {
          body: paymentRequestBody(first),
          ...(turn % 3 === 0 && { headers: { 'idempotency-key': `mixed ${turn % 50}` } }),
        }),
      () => call(origin, 'GET', `/payment-request/${id}?detail_retentions=true`),
      () =>
        call(origin, 'POST', `/sandbox/pay/${id}`, {
          body: { channel: channels[turn % channels.length] },
        }),
      () => call(origin, 'POST', `/sandbox/refund/${id}`, { body: { amount: (turn % 9) + 1 } }),
      () => call(origin, 'POST', `/sandbox/chargeback/${id}`, { body: {} }),
    ];
    const { status } = await (kinds[turn % kinds.length] as () => Promise<Answer>)();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const sealing = times(5, () => sealAccount(first.sql, testAccount));
  await times(1000, one);
  await sealing;
  await player.move({ days: 12 });
  expect([...statuses.keys()].filter((status) => ![200, 201, 400, 409].includes(status))).toEqual(
    [],
  );
  expect(statuses.get(200) ?? 0).toBeGreaterThan(300);
  expect(await player.faults()).toEqual([]);
});
