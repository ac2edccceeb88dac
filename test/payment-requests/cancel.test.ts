import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, createKey } from '../../src/accounts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());

const cancel = (id: number, options: { key?: string; body?: unknown } = {}) =>
  service.call('PUT', `/payment-request/${id}/cancel`, options);
const comment = 'Canceled by the collector.';

test('expires a pending request with a comment once, even for repeated or concurrent calls', async () => {
  const id = await player.create({ external_reference: 'canceled' });
  const answers = await Promise.all([
    cancel(id),
    cancel(id, { body: {} }),
    cancel(id, { body: [] }),
  ]);
  answers.push(await cancel(id));
  for (const { status, body } of answers) {
    expect([status, body.id, body.state, body.state_comment]).toEqual([
      200,
      id,
      'expired',
      comment,
    ]);
  }
  expect(await player.get(id)).toEqual(answers[0]?.body);
  const list = await service.call('GET', '/payment-request?external_reference=canceled');
  expect(list.body.data).toEqual([answers[0]?.body]);
  const events = (await player.events(id)).map(({ type }) => type);
  expect(events).toEqual(['payment_request.created', 'payment_request.expired']);
});

test('records money that arrives after the cancellation, and removes the comment', async () => {
  const id = await player.create();
  await cancel(id);
  expect((await player.pay(id, { channel: 'DEBIN' })).status).toBe(409);
  const { status, body } = await player.pay(id, { channel: 'non_banking' });
  expect([status, body.state, body.state_comment]).toEqual([200, 'paid', undefined]);
  expect(await player.faults()).toEqual([]);
});

test('refuses to cancel a request that expired by itself', async () => {
  const id = await player.create();
  await player.move({ days: 15 });
  const { status, body } = await cancel(id);
  expect([status, body.error_code]).toEqual([409, 'payment_request.not_withdrawable']);
  expect(await player.get(id)).not.toHaveProperty('state_comment');
});

test('refuses to cancel paid and unknown requests, and those of other accounts', async () => {
  const id = await player.create();
  await player.pay(id);
  const paid = await cancel(id);
  expect([paid.status, paid.body.error_code]).toEqual([409, 'payment_request.not_withdrawable']);
  expect((await player.get(id)).state).toBe('paid');
  const { base } = service.service.parts;
  const acting = { ...base, actor: testOperator };
  const other = { id: 'BBBBBBBB', name: 'Otra', cuit: '30999999995', city: 'Rosario' };
  await createAccount(acting, other);
  const key = await createKey(acting, {
    id: await base.recordIds.next(),
    environment: 'sandbox',
    accountId: other.id,
    name: 'test',
    permissions: ['read', 'write'],
    expiresAt: null,
    secret: null,
  });
  const mine = await player.create();
  expect((await cancel(mine, { key })).status).toBe(404);
  expect((await player.get(mine)).state).toBe('pending');
  expect((await cancel(999_999_999)).status).toBe(404);
});
