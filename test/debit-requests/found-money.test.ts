import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { operatorBooks } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { prepareFacts } from '../../src/money/collections/index.ts';
import { assignSuspense, listSuspense, suspend } from '../../src/money/suspense/index.ts';
import { testOperator } from '../harness/actors.ts';
import { advance } from '../harness/builders/clock.ts';
import {
  createDebit,
  getDebit,
  handOver,
  settle,
  submittedDebit,
} from '../harness/builders/debits.ts';
import { cbuEndingIn, getAdhesion, signedAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

/** Covers money for a debit that arrives outside its run, which an operator finds in suspense. */
let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
});
afterAll(() => service.stop());
afterEach(async () => {
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  expect(await auditAccount(service.sql, operatorBooks)).toEqual([]);
});

let found = 0;

const inSuspense = async (): Promise<number> => {
  found += 1;
  const { base, clocks } = service.service.parts;
  await suspend(base)([
    {
      reason: 'unknown_request',
      channel: 'direct_debit',
      label: 'Débito directo',
      code: '',
      amount: centavos(143_050),
      paidAt: clocks.business.now(),
      source: 'bank',
      sourceRef: String(found),
    },
  ]);
  const rows = await listSuspense(service.sql, { all: false, after: 0, limit: 100 });
  const row = rows.find(({ source_ref }) => source_ref === String(found));
  if (!row) throw new Error('not in suspense');
  return row.id;
};

const assign = (id: number, request: number) => {
  const { base, calendar } = service.service.parts;
  return assignSuspense(
    base,
    prepareFacts(base, calendar),
  )({ id, to: { accountId: testAccount, id: request }, note: 'found', actor: testOperator });
};

const newDebit = async (fields: Record<string, unknown> = {}): Promise<number> => {
  const { status, body } = await createDebit(service, await signedAdhesion(service), fields);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
};

const collected = (body: { request_result: { type: string }[] }): number =>
  body.request_result.filter(({ type }) => type === 'collected_debit_request_result').length;

const runStates = async (id: number): Promise<string[]> => {
  const rows = await service.sql<{ state: string }[]>`
    select state from debit_runs where request_id = ${id} order by no`;
  return rows.map(({ state }) => state);
};

const made = {
  pending: () => newDebit(),
  canceled: async () => {
    const id = await newDebit();
    await service.call('PUT', `/debit-request/${id}/cancel`);
    return id;
  },
  rejected: async () => {
    const { debit } = await submittedDebit(service);
    await settle(service, debit, { code: 'R08' });
    return debit;
  },
  reverted: async () => {
    const { debit } = await submittedDebit(service);
    await settle(service, debit, { paid: true });
    await service.call('POST', `/sandbox/chargeback/${debit}`);
    return debit;
  },
} as const;

describe('unexpected money assigned by an operator', () => {
  test.each(Object.keys(made) as (keyof typeof made)[])(
    'pays a %s debit with assigned money, and never submits its run',
    async (state) => {
      const id = await made[state]();
      const before = await getDebit(service, id);
      expect(before.state).toBe(state);
      expect(await assign(await inSuspense(), id)).toBe('assigned');
      const paid = await getDebit(service, id);
      expect(paid.state).toBe('paid');
      expect(paid).not.toHaveProperty('state_comment');
      expect(collected(paid)).toBe(collected(before) + 1);
      await advance(service, { days: 40 });
      const later = await getDebit(service, id);
      expect([later.state, collected(later)]).toEqual(['paid', collected(paid)]);
      expect(await runStates(id)).toEqual(['done']);
    },
  );

  test('refunds assigned money before or after the run’s day, with a clean audit', async () => {
    const [early, late] = [await newDebit(), await newDebit()];
    for (const id of [early, late]) await assign(await inSuspense(), id);
    await service.call('POST', `/sandbox/refund/${early}`);
    expect(await auditAccount(service.sql, testAccount)).toEqual([]);
    await advance(service, { days: 40 });
    await service.call('POST', `/sandbox/refund/${late}`);
    for (const id of [early, late]) {
      expect((await getDebit(service, id)).state).toBe('refunded');
      expect(await runStates(id)).toEqual(['done']);
    }
  });

  test('refuses to assign money to a debit in process, which its bank may still collect', async () => {
    const { debit } = await submittedDebit(service);
    const money = await inSuspense();
    await expect(assign(money, debit)).rejects.toThrow(
      'The request is in_process, so its bank or card processor may still collect it.',
    );
    const open = await listSuspense(service.sql, { all: false, after: 0, limit: 100 });
    expect(open.map(({ id }) => id)).toContain(money);
    await settle(service, debit, { code: 'R08' });
    expect(await assign(money, debit)).toBe('assigned');
    expect((await getDebit(service, debit)).state).toBe('paid');
  });

  test('pays once if an assignment races with the hand-over', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await newDebit();
      const money = await inSuspense();
      const [assigned] = await Promise.allSettled([assign(money, id), handOver(service, id)]);
      const { state } = await getDebit(service, id);
      expect(state).toBe(assigned.status === 'fulfilled' ? 'paid' : 'in_process');
      await advance(service, { days: 30 });
      expect(collected(await getDebit(service, id))).toBe(1);
    }
  });

  test('reports a later payment by the bank as a contradiction, and books nothing more on the debit', async () => {
    const { debit } = await submittedDebit(service);
    await settle(service, debit, { code: 'R10' });
    await assign(await inSuspense(), debit);
    expect(await settle(service, debit, { paid: true })).toBe('contradicted');
    expect(collected(await getDebit(service, debit))).toBe(1);
  });

  test('refuses to assign money between two runs, and accepts it once the second is rejected', async () => {
    const adhesion = await signedAdhesion(service, { cbu_number: cbuEndingIn('9910') });
    const today = service.service.parts.clocks.business.today();
    const text = (days: number) => {
      const [year, month, day] = today.add({ days }).toString().split('-');
      return `${day}-${month}-${year}`;
    };
    const { body } = await createDebit(service, adhesion, {
      first_due_date: text(20),
      second_due_date: text(30),
      second_total: 1500,
    });
    await handOver(service, body.id);
    expect(await settle(service, body.id, { code: 'R10' })).toBe('retried');
    const money = await inSuspense();
    await expect(assign(money, body.id)).rejects.toThrow('in_process');
    await handOver(service, body.id, 2);
    await settle(service, body.id, { code: 'R10' }, 2);
    await assign(money, body.id);
    expect((await getDebit(service, body.id)).state).toBe('paid');
    expect((await getAdhesion(service, adhesion)).state).toBe('signed');
  });
});
