import { expect, test } from 'vitest';
import { createSlots, eachForAWhile } from '../../src/platform/slots.ts';

test('runs up to a limit of calls at once, the others in order of arrival', async () => {
  const slots = createSlots(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  let now = 0;
  let most = 0;
  const calls = ends.map(({ promise }, turn) =>
    slots.run(async () => {
      begun.push(turn);
      now += 1;
      most = Math.max(most, now);
      await promise;
      now -= 1;
      return turn;
    }),
  );
  for (const { resolve } of ends.toReversed()) resolve();
  expect(await Promise.all(calls)).toEqual([0, 1, 2, 3, 4]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(2);
});

test('releases the place of a call that fails', async () => {
  const slots = createSlots(1);
  const failing = slots.run(() => Promise.reject(new Error('no')));
  const next = slots.run(async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

test('begins no more work when its time is up, and finishes what it began despite a failure', async () => {
  let nowMs = 0;
  const wall = { now: () => Temporal.Instant.fromEpochMilliseconds(nowMs), nowMs: () => nowMs };
  const done: number[] = [];
  const terms = { atOnce: 2, wall, forMs: 10 };
  const work = async (item: number): Promise<void> => {
    nowMs += 4;
    done.push(item);
    if (item === 9) throw new Error('failed');
  };
  expect(await eachForAWhile([1, 2, 3, 4, 5], terms, work)).toBe(3);
  expect(done).toEqual([1, 2, 3]);
  await expect(eachForAWhile([9, 6], terms, work)).rejects.toThrow('failed');
  expect(done).toEqual([1, 2, 3, 9, 6]);
});
