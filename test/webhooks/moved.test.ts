import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { failuresThatPause } from '../../src/webhooks/delivery/breaker.ts';
import { readWebhook, writeSubscription } from '../../src/webhooks/store.ts';
import { account, type Engine, openEngine } from './engine.ts';
import { openReceiver, type Receiver, status } from './receiver.ts';

let engine: Engine;
let former: Receiver;
let present: Receiver;
let hook: number;
beforeAll(async () => {
  engine = await openEngine({ concurrency: 1, timeoutMs: 30_000 });
});
afterAll(() => engine.close());
beforeEach(async () => {
  [former, present] = await Promise.all([openReceiver(), openReceiver()]);
  hook = await engine.register(former.url);
});
afterEach(async () => {
  await engine.sql`update webhooks set deleted_at = ${engine.now()} where id = ${hook}`;
  await Promise.all([former.close(), present.close()]);
});

async function move(): Promise<void> {
  const row = await readWebhook(engine.sql, account, hook);
  if (!row) throw new Error('there is no such webhook');
  await writeSubscription(engine.sql, row, { ...row, url: present.url }, engine.now());
}

test('sends waiting events to the new address, which begins without failures', async () => {
  former.answer(status(500));
  for (let at = 0; at < failuresThatPause; at += 1) {
    await engine.emit(`lost ${at}`, 1);
    await engine.run();
  }
  expect((await engine.health(hook)).paused_until).not.toBeNull();
  await move();
  expect(await engine.health(hook)).toMatchObject({ failures: 0, pauses: 0, paused_until: null });
  await engine.emit('new', 1);
  await engine.run();
  expect(present.received.map(({ event }) => event.entity_id)).toEqual(['new']);
  engine.pass({ minutes: 10 });
  await engine.run();
  expect(present.received).toHaveLength(failuresThatPause + 1);
  expect(former.received).toHaveLength(failuresThatPause);
});

test('retries waiting events at the new address for a full window, even after they expired', async () => {
  former.answer(status(500));
  present.answer(status(500));
  await engine.emit('old', 1);
  await engine.run();
  engine.pass({ hours: 73 });
  await move();
  await engine.run();
  expect(present.received).toHaveLength(1);
  expect(await engine.deliveries(hook)).toMatchObject([{ state: 'pending', attempts: 2 }]);
});

test('ignores a failure at the former address, and retries its delivery at the new one', async () => {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  former.answer(async (one, response) => {
    resolve();
    await released;
    status(500)(one, response);
  });
  await engine.emit('running', 1);
  const running = engine.run();
  await reached;
  await move();
  release();
  await running;
  expect(await engine.health(hook)).toMatchObject({ failures: 0 });
  engine.pass({ minutes: 1 });
  await engine.run();
  expect(present.received.map(({ event }) => event.entity_id)).toEqual(['running']);
  expect(former.received).toHaveLength(1);
  expect(await engine.deliveries(hook)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
});

test('keeps a manual pause when the address changes', async () => {
  await engine.sql`update webhooks set held_at = ${engine.now()}, due_at = null where id = ${hook}`;
  await engine.emit('held', 1);
  await move();
  await engine.run();
  expect([former.received, present.received]).toEqual([[], []]);
  expect((await engine.health(hook)).due_at).toBeNull();
});

test('sends an event of an unlisted type to a webhook for all events', async () => {
  await engine.sql`update webhooks set event_types = array[0]::smallint[] where id = ${hook}`;
  await engine.emit('future', 1, 'card_debit_request.disputed');
  await engine.run();
  expect(former.received.map(({ event }) => event.event_type)).toEqual([
    'card_debit_request.disputed',
  ]);
});
