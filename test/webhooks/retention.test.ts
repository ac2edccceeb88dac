import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetDelivered } from '../../src/webhooks/delivery/forget.ts';
import { account, type Engine, openEngine } from './engine.ts';
import { openReceiver, type Receiver, status } from './receiver.ts';

let engine: Engine;
let receiver: Receiver;
beforeAll(async () => {
  engine = await openEngine();
  receiver = await openReceiver();
});
afterAll(async () => {
  await engine.close();
  await receiver.close();
});

const counts = async () => {
  const [row] = await engine.sql`
    select (select count(*)::int from deliveries) as deliveries,
      (select count(*)::int from delivery_attempts) as attempts,
      (select count(*)::int from events) as events`;
  return row;
};

const forget = () => forgetDelivered(engine.sql, engine.now(), 30);

test('deletes old finished deliveries, but neither events nor waiting deliveries', async () => {
  await engine.register(receiver.url);
  for (let turn = 0; turn < 5; turn += 1) await engine.emit(`old-${turn}`, 1);
  await engine.run();
  receiver.answer(status(500));
  const waiting = await engine.emit('waiting', 1);
  await engine.run();
  engine.pass({ hours: 24 * 31 });
  receiver.answer(status(200));
  await engine.emit('new', 1);
  await engine.publish();
  expect(await counts()).toEqual({ deliveries: 7, attempts: 6, events: 7 });
  await forget();
  expect(await counts()).toEqual({ deliveries: 2, attempts: 1, events: 7 });
  expect(await engine.attempts(waiting)).toHaveLength(1);
  await engine.run();
  expect(receiver.received.at(-1)?.event.entity_id).toBe('new');
});

test('deletes an old single-entity webhook, but not while one of its events waits', async () => {
  const once = { accountId: account, entity: 'qr_batch', keyNo: 1, url: receiver.url };
  await engine.notifyOnce({ ...once, entityId: '1' });
  await engine.notifyOnce({ ...once, entityId: '2' });
  await engine.emit('1', 1, 'qr_batch.completed');
  await engine.run();
  const stored = async () =>
    (
      await engine.sql<{ id: string }[]>`
      select only_entity_id as id from webhooks where only_entity is not null order by 1`
    ).map((row) => row.id);
  await forget();
  expect(await stored()).toEqual(['1', '2']);
  engine.pass({ hours: 24 * 31 });
  await engine.emit('2', 1, 'qr_batch.failed');
  await engine.publish();
  await forget();
  expect(await stored()).toEqual(['2']);
});

test('deletes a removed webhook after its deliveries, and no other one', async () => {
  const removed = await engine.register(receiver.url);
  const kept = await engine.register(receiver.url);
  await engine.emit('told', 1);
  await engine.run();
  await engine.sql`
    update webhooks set deleted_at = ${engine.now()}::timestamptz where id = ${removed}`;
  const stored = async () =>
    (await engine.sql<{ id: number }[]>`select id from webhooks`).map((row) => row.id);
  engine.pass({ hours: 24 * 29 });
  await forget();
  expect(await stored()).toContain(removed);
  engine.pass({ hours: 24 * 2 });
  await forget();
  expect(await stored()).not.toContain(removed);
  expect(await stored()).toContain(kept);
});

test('deletes every old delivery, even with concurrent workers', async () => {
  for (let turn = 0; turn < 30; turn += 1) await engine.emit(`more-${turn}`, 1);
  await engine.run();
  engine.pass({ hours: 24 * 31 });
  await Promise.all([forget(), forget(), forget()]);
  const ended = await engine.sql`select 1 from deliveries where ended_at is not null`;
  expect(ended).toHaveLength(0);
});
