import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../src/accounts/index.ts';
import { testOperator, testOperatorText } from '../harness/actors.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());

const key = expect.stringMatching(/^key:test-key-012:\d+$/);

test('writes one event per step of a request, with state, amount, result and actor', async () => {
  const external_reference = 'order 66';
  const id = await player.create({ external_reference, first_total: 100.91 });
  await player.pay(id, { channel: 'qr' });
  await player.move({ days: 12 });
  await player.pay(id, { amount: 100.5 });
  await player.refund(id, { amount: 0.5 });
  await player.refund(id);
  await player.pay(id, { channel: 'wire_transfer', amount: 7 });
  await player.chargeback(id);
  const results = (await player.get(id)).request_result;
  const fact = (at: number, state: string, amount: number) => ({
    state,
    external_reference,
    amount,
    request_result_id: results[at].id,
  });
  const reversal = (at: number, state: string, amount: number, of: number) => ({
    ...fact(at, state, amount),
    reversed_result_id: results[of].id,
  });
  expect(await player.events(id)).toEqual([
    {
      version: 1,
      type: 'payment_request.created',
      actor: key,
      queued: false,
      data: { state: 'pending', external_reference, amount: 100.91 },
    },
    {
      version: 2,
      type: 'payment_request.rejected',
      actor: key,
      queued: true,
      data: fact(0, 'pending', 100.91),
    },
    {
      version: 3,
      type: 'payment_request.expired',
      actor: 'system',
      queued: true,
      data: { state: 'expired', external_reference },
    },
    {
      version: 4,
      type: 'payment_request.paid',
      actor: key,
      queued: true,
      data: fact(1, 'paid', 100.5),
    },
    {
      version: 5,
      type: 'payment_request.refunded',
      actor: key,
      queued: true,
      data: reversal(2, 'paid', 0.5, 1),
    },
    {
      version: 6,
      type: 'payment_request.refunded',
      actor: key,
      queued: true,
      data: reversal(3, 'refunded', 100, 1),
    },
    {
      version: 7,
      type: 'payment_request.paid',
      actor: key,
      queued: true,
      data: fact(4, 'paid', 7),
    },
    {
      version: 8,
      type: 'payment_request.reverted',
      actor: key,
      queued: true,
      data: reversal(5, 'reverted', 7, 4),
    },
  ]);
});

test('writes no event for refusals and reads', async () => {
  const id = await player.create();
  const [before] = await service.sql<{ count: number }[]>`select count(*) as count from events`;
  await player.refund(id);
  await player.get(id);
  await player.pay(id, { channel: 'qr', amount: 1 });
  await service.call('POST', '/payment-request', { body: { payment_request: {} } });
  const [after] = await service.sql<{ count: number }[]>`select count(*) as count from events`;
  expect(after).toEqual(before);
});

test('writes one event for a creation that is repeated with its idempotency key', async () => {
  const body = { payment_request: { description: 'x', first_total: 1, payer_name: 'y' } };
  const today = service.service.parts.clocks.business.today();
  const first_due_date = today.toString().split('-').reverse().join('-');
  const call = () =>
    service.call('POST', '/payment-request', {
      body: { payment_request: { ...body.payment_request, first_due_date } },
      headers: { 'idempotency-key': 'once' },
    });
  const [one, two] = [await call(), await call()];
  expect([one.status, two.status, two.text]).toEqual([201, 201, one.text]);
  expect(await player.events(one.body.id)).toHaveLength(1);
  const [row] = await service.sql<{ created: number; requests: number }[]>`
    select (select count(*)::int from events where type = 'payment_request.created') as created,
      (select count(*)::int from requests) as requests`;
  expect(row?.created).toBe(row?.requests);
});

test('writes events of accounts and API keys, and queues none of them for webhooks', async () => {
  const { base } = service.service.parts;
  const acting = { ...base, actor: testOperator };
  const id = await base.recordIds.next();
  await createKey(acting, {
    id,
    environment: 'sandbox',
    accountId: testAccount,
    name: 'till',
    permissions: ['read'],
    expiresAt: null,
    secret: null,
  });
  for (let twice = 0; twice < 2; twice += 1) {
    await revokeKey(acting, { accountId: testAccount, id });
  }
  const rows = await service.sql`
    select e.entity, e.version, e.type, e.actor, o.event_id is not null as queued
    from events e left join outbox o on o.account_id = e.account_id and o.event_id = e.id
    where e.account_id = ${testAccount} and e.entity_id in (${String(id)}, ${testAccount})
    order by e.entity, e.version`;
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['account', 1, 'account.created', 'system', false],
    ['api_key', 1, 'api_key.created', testOperatorText, false],
    ['api_key', 2, 'api_key.revoked', testOperatorText, false],
  ]);
});
