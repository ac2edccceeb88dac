import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSealKeys, withoutStamp } from '../../src/seals/index.ts';

const keys = createSealKeys([{ id: 'k1', key: Buffer.alloc(32, 1) }]);
const kind = 'journal';

/** Stamps a digest as a process of the service does. */
const stampOf = (digest: Buffer): Buffer => {
  const mac = keys.mac('k1', 'stamp', Buffer.concat([Buffer.from(`${kind}\0`), digest]));
  if (!mac) throw new Error('no key');
  return mac.subarray(0, 16);
};

test('finds rows with a wrong or missing stamp among thousands, while other work runs', async () => {
  const rows = Array.from({ length: 3_000 }, (_none, id) => {
    const digest = randomBytes(32);
    const stamp = id % 700 === 1 ? randomBytes(16) : id % 700 === 2 ? null : stampOf(digest);
    return { id, digest, stamp, due: id !== 702 };
  });
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    for (; !isDone; turns += 1) await nextTurn();
  })();
  const found = await withoutStamp(keys, kind, rows);
  isDone = true;
  await others;
  expect(found.map(({ id }) => id)).toEqual([1, 2, 701, 1401, 1402, 2101, 2102, 2801, 2802]);
  expect(turns).toBeGreaterThan(10);
});
