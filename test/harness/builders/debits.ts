import { expect } from 'vitest';
import type { RunOutcome, Settled } from '../../../src/debit-requests/index.ts';
import { testOperator } from '../actors.ts';
import { type Answer, type TestService, testAccount } from '../service.ts';
import { advance, inDays, todayOf } from './clock.ts';
import { signedAdhesion } from './mandates.ts';

export function createDebit(
  service: TestService,
  adhesionId: number,
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return service.call('POST', '/debit-request', {
    body: {
      debit_request: {
        adhesion_id: adhesionId,
        description: 'Cuota de diciembre',
        first_due_date: inDays(service, 20),
        first_total: 1430.5,
        ...fields,
      },
    },
    headers,
  });
}

export function createCardDebit(
  service: TestService,
  adhesionId: number,
  fields: Record<string, unknown> = {},
): Promise<Answer> {
  const period = service.service.parts.clocks.business.today().add({ months: 2 });
  return service.call('POST', '/card-debit-request', {
    body: {
      card_debit_request: {
        card_adhesion_id: adhesionId,
        month: period.month,
        year: period.year,
        amount: 1430.5,
        description: 'Cuota de diciembre',
        ...fields,
      },
    },
  });
}

/** Moves the clock to the hand-over day of a debit's run, and runs what is due. */
export async function handOver(service: TestService, id: number, no: 1 | 2 = 1): Promise<void> {
  const [row] = await service.sql<{ submit_on: Temporal.PlainDate }[]>`
    select submit_on from debit_runs where request_id = ${id} and no = ${no}`;
  if (!row) throw new Error('there is no such run');
  const late = Temporal.PlainDate.compare(row.submit_on, todayOf(service)) <= 0;
  const to = late ? { minutes: 0 } : { advance_to: `${row.submit_on}T06:00:00-03:00` };
  const moved = await advance(service, to);
  if (moved.status !== 200) throw new Error(moved.text);
}

type Told = { paid: true } | { code: string; text?: string };

export const outcomeOf = (
  service: TestService,
  requestId: number,
  told: Told,
  runNo: 1 | 2 = 1,
): RunOutcome => {
  const now = service.service.parts.clocks.business.now();
  return {
    accountId: testAccount,
    requestId,
    runNo,
    actor: testOperator,
    label: 'Débito directo',
    outcome:
      'paid' in told
        ? { type: 'paid', paidAt: now }
        : { type: 'rejected', at: now, code: told.code, text: told.text ?? '' },
  };
};

/** Reports a bank's answer to one run. */
export async function settle(
  service: TestService,
  requestId: number,
  told: Told,
  runNo: 1 | 2 = 1,
): Promise<Settled> {
  const outcomes = [outcomeOf(service, requestId, told, runNo)];
  const [settled] = await service.service.parts.debits.settle(outcomes);
  if (!settled) throw new Error('nothing was settled');
  return settled;
}

export const getDebit = async (service: TestService, id: number, query = '') =>
  (await service.call('GET', `/debit-request/${id}${query}`)).body;

/** Creates a debit on a new mandate, and hands it over. */
export async function submittedDebit(
  service: TestService,
  fields: Record<string, unknown> = {},
): Promise<{ debit: number; adhesion: number }> {
  const adhesion = await signedAdhesion(service);
  const created = await createDebit(service, adhesion, fields);
  expect(created.status, created.text).toBe(201);
  await handOver(service, created.body.id);
  return { debit: created.body.id, adhesion };
}
