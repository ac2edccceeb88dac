import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { createCalendar } from '../../src/calendar/index.ts';
import { claimRuns, rejectCodes } from '../../src/debit-requests/index.ts';
import { formatDay } from '../../src/kernel/dates.ts';
import { testOperator } from '../harness/actors.ts';
import { advance, inDays } from '../harness/builders/clock.ts';
import {
  createDebit,
  getDebit,
  handOver,
  outcomeOf,
  settle,
  submittedDebit,
} from '../harness/builders/debits.ts';
import { cbuEndingIn, getAdhesion, signedAdhesion } from '../harness/builders/mandates.ts';
import { asSuperuser } from '../harness/database.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
});
afterAll(async () => {
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  await service.stop();
});

const resultsOf = async (id: number): Promise<string[]> =>
  (await getDebit(service, id)).request_result.map((one: { type: string }) => one.type);

const eventTypesOf = async (id: number): Promise<string[]> => {
  const rows = await service.sql<{ type: string; version: number }[]>`
    select type, version from events where entity_id = ${String(id)}
      and entity = 'debit_request' order by version`;
  expect(rows.map(({ version }) => version)).toEqual(rows.map((_row, at) => at + 1));
  return rows.map(({ type }) => type.replace('debit_request.', ''));
};

test('pays a debit, whose money becomes available later', async () => {
  const { debit } = await submittedDebit(service);
  expect(await settle(service, debit, { paid: true })).toBe('paid');
  const { state, state_comment, request_result } = await getDebit(service, debit);
  expect({ state, state_comment }).toEqual({ state: 'paid', state_comment: undefined });
  expect(request_result).toEqual([
    expect.objectContaining({
      type: 'collected_debit_request_result',
      channel: 'Débito directo',
      amount: 1430.5,
      is_available: false,
    }),
  ]);
  expect(await eventTypesOf(debit)).toEqual(['created', 'submitted', 'paid']);
});

/** A file of debits on bank accounts. */
const file = { kind: 'debit_request', brands: null } as const;

const [waitingCode = ''] =
  Object.entries(rejectCodes).find(([, { handling }]) => handling === 'wait') ?? [];

describe('every clearing code', () => {
  test.each(Object.entries(rejectCodes))(
    'handles %s according to the table',
    async (code, { text, handling }) => {
      const { debit, adhesion } = await submittedDebit(service);
      const settled = await settle(service, debit, { code });
      const { state, request_result, state_comment } = await getDebit(service, debit);
      const mandate = await getAdhesion(service, adhesion);
      if (handling === 'wait') {
        expect([settled, state, request_result]).toEqual(['waiting', 'in_process', []]);
        expect(mandate.state).toBe('signed');
        return;
      }
      expect([settled, state]).toEqual(['rejected', 'rejected']);
      expect(state_comment).toBe(`${code}: ${text}`);
      expect(request_result).toEqual([
        expect.objectContaining({
          type: 'rejected_debit_request_result',
          rejected_at: expect.any(String),
          state_comment: `${code}: ${text}`,
        }),
      ]);
      expect(mandate.state).toBe(handling === 'close' ? 'canceled' : 'signed');
      if (handling === 'close') expect(mandate.state_comment).toBe(`${code}: ${text}`);
    },
  );

  test('ends the mandate for R02, R03, R04, R15 and R89 only', () => {
    const closing = Object.keys(rejectCodes).filter(
      (code) => rejectCodes[code]?.handling === 'close',
    );
    expect(closing).toEqual(['R02', 'R03', 'R04', 'R15', 'R89']);
  });

  test('rejects the debit with the bank’s text for an unknown code', async () => {
    const { debit, adhesion } = await submittedDebit(service);
    expect(await settle(service, debit, { code: 'R77', text: 'Motivo nuevo' })).toBe('rejected');
    expect((await getDebit(service, debit)).state_comment).toBe('R77: Motivo nuevo');
    expect((await getAdhesion(service, adhesion)).state).toBe('signed');
  });

  test('allows payment or refusal after a code that is not final', async () => {
    const one = await submittedDebit(service);
    expect(await settle(service, one.debit, { code: 'R81' })).toBe('waiting');
    expect(await settle(service, one.debit, { paid: true })).toBe('paid');
    expect(await settle(service, one.debit, { code: 'R24' })).toBe('known');
    const two = await submittedDebit(service);
    expect(await settle(service, two.debit, { code: 'R05' })).toBe('waiting');
    expect(await settle(service, two.debit, { code: 'R08' })).toBe('rejected');
  });

  test('cancels a mandate’s pending debits if a code ends it', async () => {
    const { debit, adhesion } = await submittedDebit(service);
    const pending = await createDebit(service, adhesion);
    await settle(service, debit, { code: 'R15' });
    expect(await getDebit(service, pending.body.id)).toMatchObject({
      state: 'canceled',
      state_comment: 'R15: The service was canceled.',
    });
  });
});

describe('repeated reports', () => {
  test('keeps the mandate after a code about its former account', async () => {
    const { debit, adhesion } = await submittedDebit(service);
    await claimRuns(service.sql, { ...file, fileId: 1 });
    const replaced = await service.service.parts.mandates.replace({
      key: { accountId: testAccount, kind: 'adhesion', id: adhesion },
      instrument: { type: 'cbu', cbu: cbuEndingIn('0077') },
      actor: testOperator,
    });
    expect([replaced, await settle(service, debit, { code: 'R02' })]).toEqual([
      'replaced',
      'rejected',
    ]);
    expect((await getAdhesion(service, adhesion)).state).toBe('signed');
  });

  test('leaves answered runs out of files', async () => {
    const answered = await submittedDebit(service);
    const open = await submittedDebit(service);
    await settle(service, answered.debit, { code: waitingCode });
    await claimRuns(service.sql, { ...file, fileId: 2 });
    const claimed = await service.sql<{ request_id: number }[]>`
      select request_id from debit_runs where file_id = 2`;
    expect(claimed.map((row) => row.request_id)).toEqual([open.debit]);
  });

  test('settles a run once, and reports contradictions', async () => {
    const paid = await submittedDebit(service);
    await settle(service, paid.debit, { paid: true });
    expect(await settle(service, paid.debit, { paid: true })).toBe('known');
    expect(await settle(service, paid.debit, { code: 'R02' })).toBe('contradicted');
    expect(await resultsOf(paid.debit)).toEqual(['collected_debit_request_result']);
    expect((await getAdhesion(service, paid.adhesion)).state).toBe('signed');
    const refused = await submittedDebit(service);
    await settle(service, refused.debit, { code: 'R08' });
    expect(await settle(service, refused.debit, { code: 'R08' })).toBe('known');
    expect(await settle(service, refused.debit, { paid: true })).toBe('contradicted');
    expect((await getDebit(service, refused.debit)).state).toBe('rejected');
  });

  test('counts only the first report of a run within one call', async () => {
    const { debit, adhesion } = await submittedDebit(service);
    const { settle: settleRuns } = service.service.parts.debits;
    const told = [{ paid: true }, { paid: true }, { code: 'R02' }, { code: 'R24' }] as const;
    const outcomes = told.map((one) => outcomeOf(service, debit, one));
    expect(await settleRuns(outcomes)).toEqual(['paid', 'known', 'contradicted', 'known']);
    expect(await resultsOf(debit)).toHaveLength(1);
    expect((await getAdhesion(service, adhesion)).state).toBe('signed');
  });

  test('applies one of several concurrent reports', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { debit, adhesion } = await submittedDebit(service);
      const told = [{ paid: true }, { code: 'R02' }, { paid: true }, { code: 'R02' }] as const;
      const settled = await Promise.all(told.map((one) => settle(service, debit, one)));
      const types = await resultsOf(debit);
      expect(types).toHaveLength(1);
      const isPaid = types[0]?.startsWith('collected');
      expect((await getDebit(service, debit)).state).toBe(isPaid ? 'paid' : 'rejected');
      expect((await getAdhesion(service, adhesion)).state).toBe(isPaid ? 'signed' : 'canceled');
      expect(settled.filter((one) => one === 'paid' || one === 'rejected')).toHaveLength(1);
      expect(settled.filter((one) => one === 'contradicted')).toHaveLength(2);
    }
  });

  test('starts one second run for concurrent refusals', async () => {
    const { debit } = await submittedDebit(service, {
      second_due_date: inDays(service, 40),
      second_total: 1500,
    });
    const settled = await Promise.all([1, 2, 3].map(() => settle(service, debit, { code: 'R10' })));
    expect(settled.toSorted()).toEqual(['known', 'known', 'retried']);
    const runs = await service.sql`select no from debit_runs where request_id = ${debit}`;
    expect(runs).toHaveLength(2);
  });

  test('reports runs that were not handed over, or do not exist, as unknown', async () => {
    const { body } = await createDebit(service, await signedAdhesion(service));
    expect(await settle(service, body.id, { paid: true })).toBe('unknown');
    expect(await settle(service, body.id, { paid: true }, 2)).toBe('unknown');
    expect(await settle(service, 99_999_999, { paid: true })).toBe('unknown');
    const foreign = { ...outcomeOf(service, body.id, { paid: true }), accountId: 'BBBBBBBB' };
    expect(await service.service.parts.debits.settle([foreign])).toEqual(['unknown']);
    expect(await service.service.parts.debits.settle([])).toEqual([]);
    expect((await getDebit(service, body.id)).state).toBe('pending');
  });

  test('does not pay a canceled debit', async () => {
    const { body } = await createDebit(service, await signedAdhesion(service));
    await service.call('PUT', `/debit-request/${body.id}/cancel`);
    await handOver(service, body.id);
    expect(await settle(service, body.id, { paid: true })).toBe('contradicted');
    expect((await getDebit(service, body.id)).state).toBe('canceled');
  });
});

describe('a crash between the steps', () => {
  /** Restores the state of a crash between recording the result and ending the run. */
  const undoEnd = (debit: number) =>
    service.sql`update debit_runs set state = 'submitted' where request_id = ${debit}`;

  test('completes mandate and run with the next call after a crash', async () => {
    const { debit, adhesion } = await submittedDebit(service);
    await settle(service, debit, { code: 'R02' });
    await undoEnd(debit);
    await service.sql`
      update mandates set state = 'signed', canceled_at = null, state_comment = null, version = 2
      where kind = 'adhesion' and id = ${adhesion}`;
    await asSuperuser(
      `delete from events where entity = 'adhesion' and entity_id = '${adhesion}' and version = 3`,
      service.databaseUrl,
    );
    await service.sql`
      delete from outbox where entity = 'adhesion' and entity_id = ${String(adhesion)} and version = 3`;
    expect(await settle(service, debit, { code: 'R02' })).toBe('known');
    expect((await getAdhesion(service, adhesion)).state).toBe('canceled');
    expect(await resultsOf(debit)).toHaveLength(1);
    const [run] = await service.sql`select state from debit_runs where request_id = ${debit}`;
    expect(run).toEqual({ state: 'done' });
  });

  test('records money once despite a crash', async () => {
    const { debit } = await submittedDebit(service);
    await settle(service, debit, { paid: true });
    await undoEnd(debit);
    expect(await settle(service, debit, { paid: true })).toBe('known');
    expect(await resultsOf(debit)).toHaveLength(1);
  });
});

describe('the second due date', () => {
  const calendar = createCalendar([]);
  const withSecond = (days = 40) =>
    submittedDebit(service, { second_due_date: inDays(service, days), second_total: 1500 });

  test.each(['R10', 'R28'])(
    'retries once on the second due date after %s, at the second total',
    async (code) => {
      const { debit } = await withSecond();
      expect(await settle(service, debit, { code })).toBe('retried');
      const between = await getDebit(service, debit);
      const refused = {
        type: 'rejected_debit_request_result',
        amount: 1430.5,
        rejected_at: expect.stringMatching(/-03:00$/),
        state_comment: expect.stringContaining(`${code}: `),
      };
      expect(between).toMatchObject({ state: 'in_process', request_result: [refused] });
      expect(between.state_comment).toContain(`${code}: `);
      expect(between.state_comment).toContain('It runs again on ');
      await handOver(service, debit, 2);
      expect(await settle(service, debit, { paid: true }, 2)).toBe('paid');
      const after = await getDebit(service, debit);
      const paid = { type: 'collected_debit_request_result', amount: 1500 };
      expect(after).toMatchObject({ state: 'paid', request_result: [refused, paid] });
      expect(after).not.toHaveProperty('state_comment');
      expect(await eventTypesOf(debit)).toEqual([
        'created',
        'submitted',
        'retried',
        'submitted',
        'paid',
      ]);
      expect(await settle(service, debit, { code })).toBe('known');
      expect(await settle(service, debit, { paid: true }, 1)).toBe('contradicted');
    },
  );

  test('ends the debit if the second run is refused too', async () => {
    const { debit } = await withSecond();
    await settle(service, debit, { code: 'R10' });
    await handOver(service, debit, 2);
    expect(await settle(service, debit, { code: 'R10' }, 2)).toBe('rejected');
    expect(await getDebit(service, debit)).toMatchObject({
      state: 'rejected',
      state_comment: 'R10: Insufficient funds.',
      request_result: [{ amount: 1430.5 }, { amount: 1500 }],
    });
    expect((await eventTypesOf(debit)).slice(2)).toEqual(['retried', 'submitted', 'rejected']);
  });

  test('starts the second run after a crash between recording the first refusal and the retry', async () => {
    const { debit } = await withSecond();
    await settle(service, debit, { code: 'R10' });
    await asSuperuser(
      `delete from debit_runs where request_id = ${debit} and no = 2`,
      service.databaseUrl,
    );
    await service.sql`update debit_runs set state = 'submitted' where request_id = ${debit}`;
    expect(await settle(service, debit, { code: 'R10' })).toBe('retried');
    expect(await resultsOf(debit)).toEqual(['rejected_debit_request_result']);
    expect(await service.sql`select no from debit_runs where request_id = ${debit}`).toHaveLength(
      2,
    );
  });

  test.each([
    ['paid', { paid: true }, 'paid'],
    ['refused for good', { code: 'R02' }, 'rejected'],
  ] as const)(
    'applies one of two concurrent reports, "%s" and R10, and runs again only for R10',
    async (...row) => {
      const [, other, ended] = row;
      for (let round = 0; round < 6; round += 1) {
        const { debit } = await withSecond();
        const told = round % 2 ? [other, { code: 'R10' }] : [{ code: 'R10' }, other];
        const settled = await Promise.all(told.map((one) => settle(service, debit, one)));
        const again = settled.includes('retried');
        expect(settled.includes(ended)).toBe(!again);
        const runs = await service.sql`
        select no, state from debit_runs where request_id = ${debit} order by no`;
        const first = { no: 1, state: 'done' };
        expect(runs).toEqual(again ? [first, { no: 2, state: 'waiting' }] : [first]);
        expect((await getDebit(service, debit)).state).toBe(again ? 'in_process' : ended);
        expect(await resultsOf(debit)).toHaveLength(1);
      }
    },
  );

  test('never submits the second run too late for the bank, even with an earlier due date', async () => {
    const adhesion = await signedAdhesion(service, { cbu_number: cbuEndingIn('9910') });
    const second = { second_due_date: inDays(service, 21), second_total: 1500 };
    const debit = (await createDebit(service, adhesion, second)).body.id;
    const daysOf = async (no: number) => {
      const [run] = await service.sql<
        { run_on: Temporal.PlainDate; submit_on: Temporal.PlainDate }[]
      >`
        select run_on, submit_on from debit_runs where request_id = ${debit} and no = ${no}`;
      return [run?.submit_on, run?.run_on].map(String);
    };
    const [, runOn = ''] = await daysOf(1);
    // The bank refuses it on the day of its run, one day before the second due date.
    await advance(service, { advance_to: `${runOn}T06:00:00-03:00` });
    const soonest = calendar.nextBusinessDay(Temporal.PlainDate.from(runOn), 2);
    expect(await daysOf(2)).toEqual([runOn, String(soonest)]);
    const { state_comment } = await getDebit(service, debit);
    expect(state_comment).toContain(`It runs again on ${formatDay(soonest)}.`);
  });

  test('skips the second run of an ended mandate, and rejects the debit', async () => {
    const { debit, adhesion } = await withSecond();
    await settle(service, debit, { code: 'R10' });
    await service.call('PUT', `/adhesion/${adhesion}/cancel`);
    expect((await getDebit(service, debit)).state).toBe('in_process');
    await handOver(service, debit, 2);
    expect(await getDebit(service, debit)).toMatchObject({
      state: 'rejected',
      state_comment: 'The mandate ended: Canceled by the collector.',
      request_result: [{ state_comment: 'R10: Insufficient funds.' }, {}],
    });
    await advance(service, { days: 10 });
    expect(await resultsOf(debit)).toEqual([
      'rejected_debit_request_result',
      'rejected_debit_request_result',
    ]);
  });

  test('refuses to cancel a debit in process before its second due date', async () => {
    const { debit } = await withSecond();
    await settle(service, debit, { code: 'R10' });
    const answer = await service.call('PUT', `/debit-request/${debit}/cancel`);
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain('in_process');
  });
});
