import { expect, test } from 'vitest';
import { createSlots } from '../../src/platform/slots.ts';

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
