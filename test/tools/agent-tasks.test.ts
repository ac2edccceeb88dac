import { afterAll, beforeAll, expect, test } from 'vitest';
import { Recaudo } from '../../clients/typescript/src/index.ts';
import { tasks } from '../../tools/agent-tasks.ts';
import { inDays } from '../harness/builders/clock.ts';
import { adhesionBody } from '../harness/builders/mandates.ts';
import { itemOf } from '../harness/builders/qrs.ts';
import { startService, type TestService, testKey } from '../harness/service.ts';

let service: TestService;
let recaudo: Recaudo;
beforeAll(async () => {
  service = await startService();
  recaudo = new Recaudo({ key: testKey, baseUrl: service.origin });
});
afterAll(() => service?.stop());

const missing = () => Promise.all(tasks.map((task) => task.missing(recaudo)));

const ask = (external_reference: string, first_total: number, more: object = {}) =>
  recaudo.paymentRequests.create({
    description: 'Cuota',
    payer_name: 'Ana Pérez',
    first_due_date: inDays(service, 10),
    ...{ external_reference, first_total, ...more },
  });

const mandate = async (external_reference: string) =>
  await recaudo.adhesions.create({ ...adhesionBody().adhesion, external_reference });

const debit = async (external_reference: string, first_total: number) =>
  recaudo.debitRequests.create({
    adhesion_id: (await mandate('')).id,
    description: 'Cuota',
    first_due_date: inDays(service, 20),
    ...{ external_reference, first_total },
  });

/** Completes each task. */
async function solve(): Promise<void> {
  const card = { channel: 'credit_card' } as const;
  await ask('task-1', 1430.5);
  await ask('task-2', 1000, {
    second_due_date: inDays(service, 17),
    second_total: 1100,
    excluded_channels: ['credit_card', 'debit_card', 'credit_card_agro'],
  });
  await recaudo.sandbox.pay((await ask('task-3', 250)).id, card);
  const { id } = await ask('task-4', 800);
  await recaudo.sandbox.pay(id, card);
  await recaudo.paymentRequests.refund(id, { amount: 300 });
  await debit('task-5', 500);
  await debit('task-6', 500.91);
  await recaudo.adhesions.cancel((await mandate('task-7')).id);
  const { data } = await recaudo.qr.save([
    itemOf(service, 'TASK-8', { first_total: 150 }) as never,
  ]);
  await recaudo.qr.pay(data[0]?.id ?? '');
  const url = 'http://127.0.0.1:9/task-9';
  await recaudo.webhooks.create({ url, event_types: ['payment_request.paid'] });
  const late = await ask('task-10', 90);
  await recaudo.sandbox.clock.advance({ days: 30 });
  await recaudo.sandbox.pay(late.id, {});
}

test('lists ten open tasks in a new sandbox, and marks them as done once they are', async () => {
  expect(tasks).toHaveLength(10);
  expect((await missing()).filter((fault) => fault === null)).toEqual([]);
  await solve();
  expect(await missing()).toEqual(tasks.map(() => null));
});
