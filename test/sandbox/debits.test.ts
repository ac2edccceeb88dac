import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { Refusal } from '../../src/platform/errors.ts';
import { simulatedDebits, simulatedReversals } from '../../src/sandbox/index.ts';
import { decideDebit } from '../../src/sandbox/simulator/outcomes.ts';
import { advance, inDays } from '../harness/builders/clock.ts';
import { createCardDebit, createDebit, getDebit } from '../harness/builders/debits.ts';
import {
  cbuEndingIn,
  getAdhesion,
  signedAdhesion,
  signedCardAdhesion,
} from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

describe('decisions of the simulator', () => {
  const onCbu = (last: string, amount = 1000) =>
    decideDebit(amount, { type: 'cbu', cbu: cbuEndingIn(last, 77) })?.code ?? 'paid';

  test.each([
    ['9902', 'R02'],
    ['9910', 'R10'],
    ['9915', 'R15'],
    ['9924', 'R24'],
    ['9903', 'paid'],
    ['0000', 'paid'],
  ])('decides a debit on an account that ends in %s: %s', (last, code) => {
    expect(onCbu(last)).toBe(code);
  });

  test.each([
    [1091, 'R10'],
    [1092, 'R02'],
    [1093, 'R08'],
    [1094, 'paid'],
    [1095, 'paid'],
    [1090, 'paid'],
  ])('decides a debit of %s centavos: %s', (amount, code) => {
    expect(onCbu('1234', amount)).toBe(code);
    const card = { type: 'card', number: '4507990000004905' } as const;
    expect(decideDebit(amount, card)?.code ?? 'paid').toBe(code);
  });

  test('decides by the account’s last digits before the amount’s cents', () => {
    expect(onCbu('9915', 1091)).toBe('R15');
  });

  test.each([
    ['4507990000004905', 'paid'],
    ['4546400044997331', 'R02'],
    ['4258210000474094', 'R10'],
    ['5895627823453005', 'paid'],
  ])('decides a debit of the card %s: %s', (number, code) => {
    expect(decideDebit(1000, { type: 'card', number })?.code ?? 'paid').toBe(code);
  });
});

describe('debits on the sandbox’s clock', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(withoutWorker);
  });
  afterAll(async () => {
    expect(await auditAccount(service.sql, testAccount)).toEqual([]);
    await service.stop();
  });

  const runTo = async (id: number, days: number): Promise<void> => {
    const [row] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
      select run_on from debit_runs where request_id = ${id} and no = 1`;
    await advance(service, { advance_to: `${row?.run_on.add({ days })}T00:00:00-03:00` });
  };

  test('decides by accounts and cents on the day of the run, and ends mandates on R02 and R15', async () => {
    const make = async (last: string, first_total: number, fields = {}) => {
      const adhesion = await signedAdhesion(service, { cbu_number: cbuEndingIn(last) });
      const { body } = await createDebit(service, adhesion, { first_total, ...fields });
      return { id: body.id as number, adhesion };
    };
    const second = { second_due_date: inDays(service, 40), second_total: 200 };
    const closed = await make('9902', 100);
    const poor = await make('9910', 100);
    const poorTwice = await make('9910', 100, second);
    const gone = await make('9915', 100);
    const twice = await make('9924', 100);
    const paidLater = await make('1111', 100.91, second);
    const stopped = await make('1111', 100.93);
    const late = await make('1111', 100.94);
    const back = await make('1111', 100.95);
    const refusedBack = await make('9910', 100.95);
    const state = async ({ id }: { id: number }) => (await getDebit(service, id)).state;

    await runTo(closed.id, 0);
    expect(await Promise.all([closed, poor, gone, stopped].map(state))).toEqual(
      Array(4).fill('rejected'),
    );
    expect(await Promise.all([poorTwice, twice, paidLater, late].map(state))).toEqual(
      Array(4).fill('in_process'),
    );
    expect(await state(back)).toBe('paid');
    const mandates = await Promise.all(
      [closed, gone, poor, twice].map(
        async ({ adhesion }) => (await getAdhesion(service, adhesion)).state,
      ),
    );
    expect(mandates).toEqual(['canceled', 'canceled', 'signed', 'signed']);

    await runTo(closed.id, 1);
    expect(await Promise.all([late, back, refusedBack, twice].map(state))).toEqual([
      'paid',
      'reverted',
      'rejected',
      // The bank already had this debit, and reports its outcome now.
      'paid',
    ]);
    await advance(service, { days: 60 });
    expect(await Promise.all([poorTwice, paidLater].map(state))).toEqual(['rejected', 'paid']);
    expect((await getDebit(service, paidLater.id)).request_result).toHaveLength(2);
  });

  test('decides card debits by the card’s number', async () => {
    const make = async (card_number: string) => {
      const { body } = await createCardDebit(
        service,
        await signedCardAdhesion(service, { card_number }),
      );
      return body.id as number;
    };
    const good = await make('5299910010000015');
    const poor = await make('5204230010000012');
    const bad = await make('5455330200000016');
    const moved = await advance(service, { days: 90 });
    const done = moved.body.happened.map(({ what }: { what: string }) => what);
    expect(done).toContain('debits submitted');
    expect(done).toContain('debits answered by the simulator');
    const get = async (id: number) => (await service.call('GET', `/card-debit-request/${id}`)).body;
    expect(await get(good)).toMatchObject({
      state: 'paid',
      request_result: [{ channel: 'Mastercard' }],
    });
    expect(await get(poor)).toMatchObject({
      state: 'rejected',
      card_adhesion: { state: 'signed' },
    });
    expect(await get(bad)).toMatchObject({
      state: 'rejected',
      card_adhesion: { state: 'canceled' },
    });
  });

  test('reverses later what it cannot reverse while the books close', async () => {
    const { sql, service: running } = service;
    const { base, clocks } = running.parts;
    const now = clocks.business.now();
    await sql`
      insert into simulated_reversals (account_id, source_ref, request_id, reverses_at)
      values (${testAccount}, '1/9', 1, ${now}::timestamptz)`;
    await sql`
      insert into simulated_charges
        (account_id, attempt_id, amount, digest, outcome, answers_at, reverses_at)
      values (${testAccount}, 9, 1, '', '{"request_id": 1}', ${now}::timestamptz, ${now}::timestamptz)`;
    const reverse = () => Promise.reject(new Refusal('unavailable', 'the books are closing'));
    const parts = { reverse } as unknown as Parameters<typeof simulatedDebits>[1];
    for (const sweep of [
      ...simulatedDebits(base, parts).slice(1),
      simulatedReversals(base, reverse),
    ]) {
      await expect(sweep.run(now)).rejects.toThrow('the books are closing');
    }
    const left = await sql`
      select reversed from simulated_reversals where source_ref = '1/9'
      union all select reversed from simulated_charges where attempt_id = 9`;
    expect(left).toEqual([{ reversed: false }, { reversed: false }]);
    await sql`update simulated_reversals set reversed = true where source_ref = '1/9'`;
    await sql`update simulated_charges set reversed = true where attempt_id = 9`;
  });

  test('leaves the decision about an exported run to its bank', async () => {
    const { body } = await createDebit(service, await signedAdhesion(service));
    await service.sql`update debit_runs set file_id = 1 where request_id = ${body.id}`;
    await advance(service, { days: 40 });
    expect((await getDebit(service, body.id)).state).toBe('in_process');
  });
});
