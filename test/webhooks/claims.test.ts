import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimDeliveries, dueReceivers } from '../../src/webhooks/delivery/store.ts';
import { distributedNodes } from '../harness/distributed.ts';
import { type Engine, openEngine } from './engine.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine.close());

const atOnce = 256;

/** Of nodes the coordinator keeps no such figures. */
test.skipIf(distributedNodes().length > 0)(
  'a claim writes deliveries into no index, and beside their former versions',
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
