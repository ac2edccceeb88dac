import { afterAll, beforeAll, expect, test } from 'vitest';
import { transactionState } from '../../src/qr/static/state.ts';
import { isLate } from '../../src/signing/routes.ts';
import { inDays, todayOf } from '../harness/builders/clock.ts';
import {
  createCardDebit,
  createDebit,
  getDebit,
  handOver,
  outcomeOf,
  settle,
  submittedDebit,
} from '../harness/builders/debits.ts';
import {
  adhesionBody,
  cardAdhesionBody,
  signedAdhesion,
  signedCardAdhesion,
} from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { expectError } from '../harness/errors.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
});
afterAll(() => service.stop());

test('hides a debit from the calls for the other kind', async () => {
  const bank = (await createDebit(service, await signedAdhesion(service))).body.id;
  const card = (await createCardDebit(service, await signedCardAdhesion(service))).body.id;
  for (const [path, id] of [
    ['debit-request', card],
    ['card-debit-request', bank],
  ]) {
    expectError(await service.call('PUT', `/${path}/${id}/cancel`), 404);
    expectError(await service.call('GET', `/${path}/${id}`), 404);
  }
  const states = await service.sql<{ state: string; version: number }[]>`
    select state, version from requests where id in (${bank}, ${card})`;
  expect(states).toEqual([
    { state: 'pending', version: 1 },
    { state: 'pending', version: 1 },
  ]);
});

test('scopes an Idempotency-Key by path', async () => {
  const headers = { 'idempotency-key': 'the same one' };
  const adhesion = await signedAdhesion(service);
  const calls: [string, unknown][] = [
    ['/payment-request', paymentRequestBody(service)],
    ['/adhesion', adhesionBody()],
    ['/card-adhesion', cardAdhesionBody()],
    [
      '/debit-request',
      {
        debit_request: {
          adhesion_id: adhesion,
          first_due_date: inDays(service, 20),
          first_total: 10,
        },
      },
    ],
  ];
  const answers = [];
  for (const [path, body] of calls) {
    const first = await service.call('POST', path, { body, headers });
    expect([path, first.status]).toEqual([path, 201]);
    expect(first.headers.has('idempotency-replayed')).toBe(false);
    answers.push(first.text);
  }
  for (const [at, [path, body]] of calls.entries()) {
    const again = await service.call('POST', path, { body, headers });
    expect([again.status, again.text]).toEqual([201, answers[at]]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  }
});

test('settles a run that one call reports as waiting and then as paid, and ignores repetitions', async () => {
  const { debit } = await submittedDebit(service);
  const told = [{ code: 'R24' }, { paid: true }, { code: 'R24' }, { paid: true }] as const;
  const outcomes = told.map((one) => outcomeOf(service, debit, one));
  const settled = await service.service.parts.debits.settle(outcomes);
  expect(settled).toEqual(['waiting', 'paid', 'known', 'known']);
  const { state, request_result } = await getDebit(service, debit);
  expect([state, request_result.length]).toEqual(['paid', 1]);
  const [run] = await service.sql`select state from debit_runs where request_id = ${debit}`;
  expect(run).toEqual({ state: 'done' });
});

test('postpones a second due date to the first day that allows the hand-over', async () => {
  const calendar = await service.service.parts.calendar();
  const adhesion = await signedAdhesion(service);
  const due = calendar.nextBusinessDay(todayOf(service).add({ days: 20 }), 0);
  const [day, month, year] = due.add({ days: 1 }).toString().split('-').reverse();
  const made = await createDebit(service, adhesion, {
    first_due_date: due.toString().split('-').reverse().join('-'),
    second_due_date: `${day}-${month}-${year}`,
    second_total: 1500,
  });
  expect(made.status, made.text).toBe(201);
  await handOver(service, made.body.id);
  // The bank answers on the day of the run, before which no simulator decides.
  const { clocks } = service.service.parts;
  await clocks.moveTo(Temporal.Instant.from(`${due}T03:00:00-03:00`));
  expect(await settle(service, made.body.id, { code: 'R10' })).toBe('retried');
  const [second] = await service.sql<{ run_on: string; submit_on: string }[]>`
    select run_on::text, submit_on::text from debit_runs where request_id = ${made.body.id} and no = 2`;
  const soonest = calendar.nextBusinessDay(todayOf(service), 2);
  expect(Temporal.PlainDate.compare(soonest, due.add({ days: 1 }))).toBe(1);
  expect(second).toEqual({ run_on: soonest.toString(), submit_on: todayOf(service).toString() });
});

const end = Temporal.Instant.from('2026-11-30T03:00:00Z');
const before = end.subtract({ milliseconds: 1 });

test('ends a static QR’s transaction to the millisecond', () => {
  const row = { state: 'pending', expires_at: end } as const;
  expect(transactionState(row, before)).toBe('pending');
  expect(transactionState(row, end)).toBe('expired');
  expect(transactionState({ ...row, state: 'paid' }, end)).toBe('paid');
});

test('ends a signing link to the millisecond', () => {
  const at = (now: Temporal.Instant) => isLate({ sign_before: end }, { now: () => now });
  expect([at(before), at(end)]).toEqual([false, true]);
});
