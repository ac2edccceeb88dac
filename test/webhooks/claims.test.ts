import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  claimDeliveries,
  dueReceivers,
  finishDeliveries,
} from '../../src/webhooks/delivery/store.ts';
import { distributedNodes } from '../harness/distributed.ts';
import { type Engine, openEngine } from './engine.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());

const atOnce = 256;

/** Skipped on a cluster, whose coordinator has no statistics of index writes on its nodes. */
test.skipIf(distributedNodes().length > 0)(
  'claims deliveries in place, without index writes',
  async () => {
    const hook = await engine.register('http://127.0.0.1:9/');
    const entities = Array.from({ length: 4 * atOnce }, (_unused, index) => `entity-${index}`);
    await Promise.all(entities.map((entity) => engine.emit(entity, 1)));
    await engine.publish();
    const now = engine.now();
    const [receiver] = await dueReceivers(engine.sql, now, 1);
    if (!receiver) throw new Error('nothing is due');
    expect(receiver.id).toBe(hook);
    const order = { now, leasedUntil: now.add({ seconds: 30 }), dueBy: now, most: atOnce };
    const updates = await engine.sql.begin(async (tx) => {
      expect(await claimDeliveries(tx, receiver, order)).toHaveLength(atOnce);
      const [row] = await tx<{ all: number; hot: number }[]>`
      select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_xact_user_tables
      where relname = 'deliveries'`;
      return row;
    });
    expect(updates).toEqual({ all: atOnce, hot: atOnce });
  },
);

test('returns to a receiver when a dead process’s lease ends, even after another process finished', async () => {
  const hook = await engine.register('http://127.0.0.1:9/');
  await engine.emit('first', 1);
  await engine.publish();
  const receiverOf = async () => {
    const due = await dueReceivers(engine.sql, engine.now(), 10);
    const receiver = due.find(({ id }) => id === hook);
    if (!receiver) throw new Error('nothing is due');
    return receiver;
  };
  const claim = async () => {
    const now = engine.now();
    const order = { now, leasedUntil: now.add({ seconds: 30 }), dueBy: now, most: 10 };
    return await claimDeliveries(engine.sql, await receiverOf(), order);
  };
  const receiver = await receiverOf();
  const [first] = await claim();
  if (!first) throw new Error('nothing was claimed');
  const begun = engine.now();
  engine.pass({ seconds: 1 });
  // Another process takes the next event, and is killed.
  await engine.emit('second', 1);
  await engine.publish();
  expect(await claim()).toHaveLength(1);
  const outcome = { delivery: first, attempt: null, state: 'delivered', nextAt: null } as const;
  // This worker's clock is one second slow.
  const order = { outcomes: [outcome], now: () => begun, leave: true };
  await finishDeliveries(engine.sql, receiver, order);
  const { due_at: dueAt } = await engine.health(hook);
  expect(dueAt?.toString()).toBe(engine.now().add({ seconds: 30 }).toString());
});
