import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Engine, openEngine } from './engine.ts';
import { openReceiver, type Receiver, status } from './receiver.ts';

let engine: Engine;
let receiver: Receiver;
let hook: number;
beforeAll(async () => {
  // The timeout is long, so that attempts fail only as the receiver decides.
  engine = await openEngine({ concurrency: 8, timeoutMs: 30_000 });
});
afterAll(() => engine.close());
beforeEach(async () => {
  receiver = await openReceiver();
  hook = await engine.register(receiver.url);
});
afterEach(async () => {
  await engine.sql`update webhooks set deleted_at = ${engine.now()} where id = ${hook}`;
  await receiver.close();
});

/** Versions of each entity in the order in which the receiver accepted them. */
const accepted = new Map<number | string, number[]>();
const acceptUnless =
  (fails: () => boolean) =>
  (...[one, response]: Parameters<ReturnType<typeof status>>) => {
    if (fails()) return status(500)(one, response);
    const { entity_id, payload } = one.event;
    accepted.set(entity_id, [...(accepted.get(entity_id) ?? []), payload.version ?? 0]);
    status(200)(one, response);
  };

const upTo = (last: number): number[] => Array.from({ length: last }, (_none, at) => at + 1);

test('holds an event back only for earlier ones of its own entity', async () => {
  accepted.clear();
  receiver.answer((one, response) =>
    status(one.event.entity_id === 'stuck' ? 500 : 200)(one, response),
  );
  await engine.emit('stuck', 1);
  await engine.emit('stuck', 2, 'qr.refunded');
  await engine.emit('free', 1);
  await engine.emit('free', 2, 'qr.refunded');
  await engine.run();
  await engine.run();
  expect(receiver.received.map((one) => one.event.entity_id).toSorted()).toEqual([
    'free',
    'free',
    'stuck',
  ]);
  expect(await engine.deliveries(hook)).toMatchObject([
    { entity_id: 'free', state: 'delivered' },
    { entity_id: 'free', state: 'delivered' },
    { entity_id: 'stuck', state: 'pending' },
    { entity_id: 'stuck', state: 'pending', attempts: 0, next_at: null },
  ]);
  // An event published after the wait began joins the same queue.
  await engine.emit('stuck', 3);
  receiver.answer(acceptUnless(() => false));
  engine.pass({ seconds: 6 });
  for (let turn = 0; turn < 3; turn += 1) await engine.run();
  expect(accepted.get('stuck')).toEqual([1, 2, 3]);
});

test('continues with an entity’s next event after a permanent failure', async () => {
  receiver.answer((one, response) =>
    status(one.event.payload.version === 1 ? 500 : 200)(one, response),
  );
  await engine.emit('given-up', 1);
  await engine.emit('given-up', 2, 'qr.refunded');
  for (let hour = 0; hour < 80; hour += 2) {
    await engine.run();
    engine.pass({ hours: 2 });
  }
  expect(await engine.deliveries(hook)).toMatchObject([
    { version: 1, state: 'failed' },
    { version: 2, state: 'delivered' },
  ]);
});

test('delivers each entity in publication order with several workers, despite failures', async () => {
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.boolean()), {
        minLength: 5,
        maxLength: 30,
      }),
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 10 }),
      async (steps, luck) => {
        accepted.clear();
        turn += 1;
        let call = 0;
        const fails = (): boolean => {
          call += 1;
          return (luck[call % luck.length] ?? 9) < 3;
        };
        receiver.answer(acceptUnless(fails));
        const workers = [engine.deliverer(), engine.deliverer()];
        const runAll = async (): Promise<void> => {
          await engine.publish();
          await Promise.all(workers.map((worker) => worker.tick()));
          await Promise.all(workers.map((worker) => worker.settled()));
        };
        const lasts = new Map<string, number>();
        for (const [entity, runs] of steps) {
          const name = `p${turn}-${entity}`;
          const version = (lasts.get(name) ?? 0) + 1;
          lasts.set(name, version);
          await engine.emit(name, version);
          if (runs) await runAll();
        }
        receiver.answer(acceptUnless(() => false));
        for (let left = 0; left < 40; left += 1) {
          engine.pass({ minutes: 10 });
          await runAll();
        }
        for (const [name, last] of lasts) expect(accepted.get(name)).toEqual(upTo(last));
        await Promise.all(workers.map((worker) => worker.stop()));
      },
    ),
    { seed: 7, numRuns: 8 },
  );
});

test('keeps order for events published during deliveries, and misses none', async () => {
  accepted.clear();
  receiver.answer(acceptUnless(() => false));
  const entities = 5;
  const versions = 20;
  let publishing = true;
  const workers = [engine.deliverer(), engine.deliverer()];
  const work = workers.map(async (worker) => {
    while (publishing) {
      await worker.tick();
      await worker.settled();
    }
  });
  for (let version = 1; version <= versions; version += 1) {
    for (let entity = 0; entity < entities; entity += 1) await engine.emit(`l${entity}`, version);
    await engine.publish();
  }
  publishing = false;
  await Promise.all(work);
  for (let turn = 0; turn < versions; turn += 1) await engine.run();
  for (let entity = 0; entity < entities; entity += 1) {
    expect(accepted.get(`l${entity}`)).toEqual(upTo(versions));
  }
  expect((await engine.health(hook)).due_at).toBeNull();
  await Promise.all(workers.map((worker) => worker.stop()));
});
