import { expect, test } from 'vitest';
import { createFairSlots, tookTooLong } from '../../src/platform/slots.ts';

/** A call that ends when it is let go, and notes its name when it begins. */
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

test('a queue that is long does not hold up another one', async () => {
  const slots = createFairSlots({ most: 1, queued: 10 });
  const begun: string[] = [];
  const gates = ['a1', 'a2', 'a3', 'b1'].map((name) => ({ name, ...gate(begun, name) }));
  const calls = gates.map(({ name, call }) => slots.run(name[0] ?? '', call, 60_000));
  for (const { open } of gates) open();
  await Promise.all(calls);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a full queue refuses at once, and other queues still take calls', async () => {
  const slots = createFairSlots({ most: 1, queued: 1 });
  const begun: string[] = [];
  const [one, two, three, other] = ['1', '2', '3', 'other'].map((name) => gate(begun, name));
  if (!one || !two || !three || !other) throw new Error('no gates');
  const first = slots.run('a', one.call, 60_000);
  const second = slots.run('a', two.call, 60_000);
  await expect(slots.run('a', three.call, 60_000)).rejects.toBe(tookTooLong);
  const others = slots.run('b', other.call, 60_000);
  for (const { open } of [one, two, other]) open();
  await Promise.all([first, second, others]);
  expect(begun).toEqual(['1', '2', 'other']);
});

test('a call whose turn does not come gives up and leaves the queue', async () => {
  const slots = createFairSlots({ most: 1, queued: 1 });
  const begun: string[] = [];
  const [one, late, next] = ['1', 'late', 'next'].map((name) => gate(begun, name));
  if (!one || !late || !next) throw new Error('no gates');
  const first = slots.run('a', one.call, 60_000);
  await expect(slots.run('a', late.call, 1)).rejects.toBe(tookTooLong);
  const second = slots.run('a', next.call, 60_000);
  one.open();
  next.open();
  await Promise.all([first, second]);
  expect(begun).toEqual(['1', 'next']);
});
