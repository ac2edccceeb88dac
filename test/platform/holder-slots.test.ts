import { expect, test } from 'vitest';
import { createHolderSlots } from '../../src/platform/holder-slots.ts';

const terms = { most: 2, each: 1, waiting: 2, patienceMs: 60_000, busy: 'Busy. Repeat the call.' };

test('a holder that fills its share leaves a slot for every other holder', async () => {
  const slots = createHolderSlots(terms);
  const { promise: never, resolve: end } = Promise.withResolvers<void>();
  const greedy = [slots.run('greedy', () => never), slots.run('greedy', () => never)];
  expect(await slots.run('other', async () => 'done')).toBe('done');
  end();
  await Promise.all(greedy);
});

test('waiting holders start in turn, however many calls one of them has', async () => {
  const slots = createHolderSlots({ ...terms, most: 1 });
  const begun: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = slots.run('greedy', () => gate);
  const call = (holder: string) => slots.run(holder, async () => void begun.push(holder));
  const others = [call('greedy'), call('greedy'), call('one'), call('two')];
  open();
  await Promise.all([first, ...others]);
  expect(begun.indexOf('one')).toBeLessThan(3);
  expect(begun.indexOf('two')).toBeLessThan(3);
  expect(begun).toHaveLength(4);
});

test('answers 503 to a holder with too many calls waiting, and to a call that waits too long', async () => {
  const slots = createHolderSlots({ ...terms, patienceMs: 30 });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = slots.run('greedy', () => gate);
  const waiting = [1, 2].map(() => slots.run('greedy', async () => {}));
  const settled = Promise.allSettled(waiting);
  await expect(slots.run('greedy', async () => {})).rejects.toMatchObject({ status: 503 });
  const outcomes = (await settled).map((one) => one.status === 'rejected' && one.reason.status);
  expect(outcomes).toEqual([503, 503]);
  open();
  await first;
  expect(await slots.run('greedy', async () => 'again')).toBe('again');
});

test('a call that fails gives its slot back', async () => {
  const slots = createHolderSlots({ ...terms, most: 1 });
  await expect(slots.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.run('b', async () => 'yes')).toBe('yes');
});
