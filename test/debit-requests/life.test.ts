import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';
import {
  advance,
  createCardDebit,
  createDebit,
  signedAdhesion,
  signedCardAdhesion,
} from './tools.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('a debit on a bank account is submitted, paid and becomes available', async () => {
  const created = await createDebit(service, await signedAdhesion(service));
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ type: 'debit_request', state: 'pending' });
  const moved = await advance(service, { days: 40 });
  console.log(JSON.stringify(moved.body));
  const { body } = await service.call('GET', `/debit-request/${created.body.id}`);
  console.log(JSON.stringify(body, null, 1));
  expect(body).toMatchObject({ state: 'paid' });
});

test('a debit on a card is submitted and paid', async () => {
  const created = await createCardDebit(service, await signedCardAdhesion(service));
  console.log(created.text);
  expect(created.status).toBe(201);
  await advance(service, { days: 90 });
  const { body } = await service.call('GET', `/card-debit-request/${created.body.id}`);
  expect(body).toMatchObject({ state: 'paid' });
});
