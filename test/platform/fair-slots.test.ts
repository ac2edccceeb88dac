import { expect, test } from 'vitest';
import { Refusal } from '../../src/platform/errors.ts';
import { createFairSlots } from '../../src/platform/slots.ts';

const terms = {
  most: 1,
  queued: 2,
  patienceMs: 60_000,
  refusal: () => new Refusal('unavailable', 'Busy. Repeat the call.'),
};

/** Creates a call that blocks until released, and records its name when it starts. */
function gate(begun: string[], name: string) {
  let open = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    open: () => open(),
    call: async () => {
      begun.push(name);
      await done;
    },
  };
}

test('does not block other queues behind a long one', async () => {
  const slots = createFairSlots({ ...terms, queued: 10 });
  const begun: string[] = [];
  const gates = ['a1', 'a2', 'a3', 'b1'].map((name) => ({ name, ...gate(begun, name) }));
  const calls = gates.map(({ name, call }) => slots.run(name[0] ?? '', call));
  for (const { open } of gates) open();
  await Promise.all(calls);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('reserves a slot for other keys when one fills its share', async () => {
  const slots = createFairSlots({ ...terms, most: 2, each: 1 });
  const { promise: never, resolve: end } = Promise.withResolvers<void>();
  const greedy = [slots.run('greedy', () => never), slots.run('greedy', () => never)];
  expect(await slots.run('other', async () => 'done')).toBe('done');
  end();
  await Promise.all(greedy);
});

test('refuses at once when the queue is full, and gives up waiting after a timeout', async () => {
  const slots = createFairSlots({ ...terms, patienceMs: 30 });
  const { promise: held, resolve: open } = Promise.withResolvers<void>();
  const first = slots.run('greedy', () => held);
  const waiting = [1, 2].map(() => slots.run('greedy', async () => {}));
  const settled = Promise.allSettled(waiting);
  await expect(slots.run('greedy', async () => {})).rejects.toMatchObject({ status: 503 });
  const outcomes = (await settled).map((one) => one.status === 'rejected' && one.reason.status);
  expect(outcomes).toEqual([503, 503]);
  open();
  await first;
  expect(await slots.run('greedy', async () => 'again')).toBe('again');
});

test('leaves other queues open when one is full', async () => {
  const slots = createFairSlots({ ...terms, queued: 1 });
  const { promise: held, resolve: open } = Promise.withResolvers<void>();
  const calls = [slots.run('a', () => held), slots.run('a', async () => {})];
  await expect(slots.run('a', async () => {})).rejects.toMatchObject({ status: 503 });
  const other = slots.run('b', async () => 'done');
  open();
  expect(await other).toBe('done');
  await Promise.all(calls);
});

test('releases the slot of a call that fails', async () => {
  const slots = createFairSlots(terms);
  await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.run('b', async () => 'yes')).toBe('yes');
});
