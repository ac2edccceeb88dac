import { afterAll, beforeAll, expect, test } from 'vitest';
import { sentStatements } from '../../src/platform/postgres/connection.ts';
import { advance, inDays } from '../harness/builders/clock.ts';
import { createCardDebit, createDebit } from '../harness/builders/debits.ts';
import { signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const create = async (fields: Record<string, unknown> = {}): Promise<number> =>
  (await service.call('POST', '/payment-request', { body: paymentRequestBody(service, fields) }))
    .body.id;

/** Counts all statements that are sent during the work. */
async function sentDuring(work: () => Promise<unknown>): Promise<number> {
  let seen = 0;
  const count = (): void => {
    seen += 1;
  };
  sentStatements.subscribe(count);
  await work();
  sentStatements.unsubscribe(count);
  return seen;
}

/** Returns the smallest of several counts, since background work may run during some of them. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const turns: number[] = [];
  for (let turn = 0; turn < 8; turn += 1) turns.push(await sentDuring(work));
  return Math.min(...turns);
}

test('returns each item of a list as its GET does, in every state', async () => {
  const paid = await create({ first_total: 100 });
  await service.call('POST', `/sandbox/pay/${paid}`);
  const refused = await create({ first_total: 100.91 });
  await service.call('POST', `/sandbox/pay/${refused}`, { body: { channel: 'credit_card' } });
  await create();
  const adhesion = await signedAdhesion(service);
  const cardAdhesion = await signedCardAdhesion(service);
  await createDebit(service, adhesion, { first_total: 100 });
  await createDebit(service, adhesion, {
    first_total: 100.91,
    second_due_date: inDays(service, 35),
    second_total: 120,
  });
  await createDebit(service, adhesion, { first_total: 100.95 });
  await createCardDebit(service, cardAdhesion, { amount: 100 });
  await createCardDebit(service, cardAdhesion, { amount: 100.92 });
  // By then the first due date has been refused, and the second is still ahead.
  await advance(service, { days: 28 });
  const check = async (path: string) => {
    const { body } = await service.call('GET', `/${path}?limit=100`);
    for (const item of body.data) {
      expect(item).toStrictEqual((await service.call('GET', `/${path}/${item.id}`)).body);
    }
    return body.data.map((item: { state: string; request_result: { type: string }[] }) => [
      item.state,
      ...item.request_result.map(({ type }) => type.split('_')[0]),
    ]);
  };
  expect(await check('payment-request')).toEqual([
    ['paid', 'collected'],
    ['expired', 'rejected'],
    ['expired'],
  ]);
  expect(await check('debit-request')).toEqual([
    ['paid', 'collected'],
    ['in_process', 'rejected'],
    ['reverted', 'collected', 'chargeback'],
  ]);
  await advance(service, { days: 60 });
  expect((await check('debit-request'))[1]).toEqual(['paid', 'rejected', 'collected']);
  expect(await check('card-debit-request')).toEqual([
    ['paid', 'collected'],
    ['rejected', 'rejected'],
  ]);
});

test('reads a list’s results with as many statements for many rows as for few', async () => {
  for (let turn = 0; turn < 12; turn += 1) {
    const id = await create({ first_total: 10, external_reference: 'many' });
    await service.call('POST', `/sandbox/pay/${id}`);
  }
  const listing = (limit: number) => async () => {
    const { body } = await service.call(
      'GET',
      `/payment-request?external_reference=many&limit=${limit}`,
    );
    expect(body.data).toHaveLength(limit);
    for (const { request_result } of body.data) expect(request_result).toHaveLength(1);
  };
  const few = await statementsOf(listing(2));
  expect(few).toBeGreaterThan(1);
  // Background work may also send statements, so the check repeats.
  await expect.poll(() => sentDuring(listing(12))).toBeLessThanOrEqual(few);
});
