import { afterAll, beforeAll, expect, test } from 'vitest';
import { placedAtOnce } from '../../src/events/index.ts';
import { queueAgain } from '../../src/webhooks/feed/queue-again.ts';
import { distributedNodes } from '../harness/distributed.ts';
import { untilWaiting } from '../harness/waiting.ts';
import { account, type Engine, openEngine } from './engine.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());

const nowhere = 'http://127.0.0.1:9/';

interface Placed {
  account_id: string;
  entity_id: string;
  version: number;
  type: string;
  position: number | null;
}

const feed = async (): Promise<Placed[]> =>
  await engine.sql<Placed[]>`
    select account_id, entity_id, version, type, position from events order by position`;

test('gives events increasing positions, in version order within an entity', async () => {
  // The later version has the smaller id, because ids come from blocks of several processes.
  await engine.emit('b', 2);
  await engine.emit('b', 1);
  await engine.emit('a', 1);
  await engine.publish();
  await engine.emit('a', 2);
  await engine.publish();
  const rows = await feed();
  expect(rows.map((row) => `${row.entity_id}${row.version}`)).toEqual(['a1', 'b1', 'b2', 'a2']);
  const positions = rows.map((row) => row.position ?? 0);
  expect(new Set(positions).size).toBe(4);
  expect(positions.toSorted((a, b) => a - b)).toEqual(positions);
  expect(await engine.sql`select 1 from outbox`).toHaveLength(0);
});

test('sends an event only to its account’s webhooks for its type', async () => {
  const paid = await engine.register(nowhere, { types: ['qr.paid'] });
  const both = await engine.register(nowhere, {
    types: ['qr.paid', 'qr.refunded'],
  });
  const request = await engine.register(nowhere, { types: ['payment_request.paid'] });
  const other = await engine.register(nowhere, { accountId: 'B1B2C3D4' });
  const removed = await engine.register(nowhere);
  await engine.sql`update webhooks set deleted_at = ${engine.now()} where id = ${removed}`;
  await engine.emit('c', 1);
  await engine.emit('c', 2, 'qr.refunded');
  await engine.publish();
  const versions = async (hook: number) =>
    (await engine.deliveries(hook)).map((row) => row.version);
  expect(await versions(paid)).toEqual([1]);
  expect(await versions(both)).toEqual([1, 2]);
  expect(await versions(request)).toEqual([]);
  expect(await versions(other)).toEqual([]);
  expect(await versions(removed)).toEqual([]);
});

test('sends a single-entity webhook only that entity’s events', async () => {
  const hook = await engine.register(nowhere, {
    types: ['qr_batch.completed', 'qr_batch.failed'],
    only: ['qr_batch', '77'],
  });
  await engine.emit('77', 1, 'qr_batch.completed');
  await engine.emit('78', 1, 'qr_batch.completed');
  await engine.emit('77', 1, 'qr_batch.completed', 'B1B2C3D4');
  await engine.publish();
  expect(await engine.deliveries(hook)).toMatchObject([{ entity_id: '77', version: 1 }]);
});

test('stores a single-entity webhook once, with the event types of its entity’s kind', async () => {
  const once = { accountId: account, entity: 'qr_batch', entityId: '99', keyNo: 1, url: nowhere };
  await engine.notifyOnce(once);
  await engine.notifyOnce({ ...once, url: 'http://127.0.0.1:8/' });
  expect(
    await engine.sql`select url, event_types from webhooks where only_entity_id = '99'`,
  ).toEqual([{ url: nowhere, event_types: [21, 22] }]);
  const unknown = { ...once, entity: 'nothing' };
  await expect(engine.notifyOnce(unknown)).rejects.toThrow(/no event/);
});

test('publishes each event once with concurrent publishers', async () => {
  const hook = await engine.register(nowhere);
  for (let turn = 0; turn < 50; turn += 1) await engine.emit(`many-${turn}`, 1);
  const before = (await feed()).filter((row) => row.position !== null).length;
  await Promise.all(Array.from({ length: 6 }, () => engine.webhooks.publish()));
  await engine.publish();
  const positions = (await feed()).map((row) => row.position);
  expect(positions.filter((one) => one !== null)).toHaveLength(before + 50);
  expect(new Set(positions).size).toBe(positions.length);
  expect(await engine.deliveries(hook)).toHaveLength(50);
});

test('skips a million positions once after a promotion, also with concurrent publishers', async () => {
  await engine.emit('before', 1);
  await engine.publish();
  const last = Math.max(...(await feed()).map(({ position }) => position ?? 0));
  await engine.sql`update id_timeline set timeline = timeline + 1`;
  for (let turn = 0; turn < 3; turn += 1) await engine.emit(`after-${turn}`, 1);
  await Promise.all(Array.from({ length: 3 }, () => engine.webhooks.publish()));
  await engine.publish();
  const after = (await feed()).flatMap(({ entity_id: id, position }) =>
    id.startsWith('after-') ? [position] : [],
  );
  expect(after).toEqual([1, 2, 3].map((no) => last + 1_000_000 + no));
});

test('delays other accounts by at most one turn during a flood', async () => {
  const count = placedAtOnce + 200;
  await engine.sql`
    with e as (
      insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
      select '00000001', 'qr', n::text, 1, 900000000 + n, 'qr.paid',
        ${engine.now()}::timestamptz, 'system', '{}'
      from generate_series(1, ${count}::int) as n returning *
    )
    insert into outbox (account_id, event_id, entity, entity_id, version)
    select account_id, id, entity, entity_id, version from e`;
  await engine.emit('late', 1, 'qr.paid', 'FFFFFFFF');
  expect(await engine.webhooks.publish()).toBe(true);
  const [late] = (await feed()).filter((row) => row.account_id === 'FFFFFFFF');
  // On several nodes, each account has a share of the turn.
  if (distributedNodes().length === 0) expect(late?.position).toBeNull();
  await engine.sql`
    with e as (
      insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
      select '00000000', 'qr', n::text, 1, 910000000 + n, 'qr.paid',
        ${engine.now()}::timestamptz, 'system', '{}'
      from generate_series(1, ${count}::int) as n returning *
    )
    insert into outbox (account_id, event_id, entity, entity_id, version)
    select account_id, id, entity, entity_id, version from e`;
  await engine.webhooks.publish();
  const [then] = (await feed()).filter((row) => row.account_id === 'FFFFFFFF');
  expect(then?.position).toBeGreaterThan(0);
  await engine.publish();
  expect(await engine.sql`select 1 from outbox`).toHaveLength(0);
});

test('resends a published event to its account’s current subscribers', async () => {
  const accountId = 'C1B2C3D4';
  const id = await engine.emit('again', 1, 'qr.paid', accountId);
  const resend = (webhookId: number | null, from = accountId) =>
    queueAgain(engine.sql, { accountId: from, eventId: id, webhookId, at: engine.now() });
  const early = await engine.register(nowhere, { accountId, types: ['payment_request.paid'] });
  expect(await resend(null)).toEqual([]);
  await engine.publish();
  expect(await resend(null)).toEqual([]);
  const hook = await engine.register(nowhere, { accountId });
  expect(await resend(null)).toEqual([{ webhookId: hook, queued: true }]);
  expect(await resend(null)).toEqual([{ webhookId: hook, queued: false }]);
  expect(await resend(early)).toEqual([{ webhookId: early, queued: true }]);
  expect(await resend(hook, account)).toEqual([]);
  expect(await resend(123_456_789)).toEqual([]);
});

test('queues an event once when resent concurrently', async () => {
  const accountId = 'D1B2C3D4';
  await engine.register(nowhere, { accountId });
  const id = await engine.emit('race', 1, 'qr.paid', accountId);
  const resend = () =>
    queueAgain(engine.sql, { accountId, eventId: id, webhookId: null, at: engine.now() });
  await engine.publish();
  await engine.sql`update deliveries set state = 'failed', next_at = null,
    ended_at = ${engine.now()} where account_id = ${accountId}`;
  const answers = await Promise.all(Array.from({ length: 5 }, resend));
  expect(answers.flat().filter((one) => one.queued)).toHaveLength(1);
});

// On several nodes, the coordinator does not report lock waits.
const onOneServer = test.skipIf(distributedNodes().length > 0);

onOneServer(
  'locks webhooks for a resend in the publishers’ order, so that no deadlock occurs',
  async () => {
    const accountId = 'A9B2C3D4';
    const id = await engine.emit('both', 1, 'qr.paid', accountId);
    const once = await engine.register(nowhere, { accountId, only: ['qr', 'both'] });
    const ordinary = await engine.register(nowhere, { accountId });
    await engine.publish();
    const resending = await engine.sql.begin(async (tx) => {
      await tx`select from webhooks where id = ${ordinary} for update`;
      const resent = queueAgain(engine.sql, {
        accountId,
        eventId: id,
        webhookId: null,
        at: engine.now(),
      });
      await untilWaiting(engine.sql, 1);
      // It waits for the first webhook, so it must not lock any later one.
      await tx`select from webhooks where id = ${once} for update nowait`;
      return { resent };
    });
    expect(await resending.resent).toHaveLength(2);
  },
);
