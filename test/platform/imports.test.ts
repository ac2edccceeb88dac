import { expect, test } from 'vitest';
import { createItemReader } from '../../src/kernel/json-items.ts';
import { itemsIn, pagesOf } from '../../src/platform/imports/items.ts';
import { chunksOf } from '../../src/platform/imports/stored-file.ts';

const mebibyte = 1024 * 1024;

/** Returns bytes that differ from place to place. */
const bytesOf = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_none, index) => index % 251));

test.each([
  { pieces: [], sizes: [] },
  { pieces: [1], sizes: [1] },
  { pieces: [mebibyte], sizes: [mebibyte] },
  { pieces: [mebibyte - 1, 2], sizes: [mebibyte, 1] },
  { pieces: [3 * mebibyte + 5, 7], sizes: [mebibyte, mebibyte, mebibyte, 12] },
])('splits pieces of $pieces bytes into chunks of $sizes', async ({ pieces, sizes }) => {
  const all = bytesOf(pieces.reduce((sum, length) => sum + length, 0));
  let from = 0;
  const body = pieces.map((length) => {
    from += length;
    return all.subarray(from - length, from);
  });
  const chunks = await Array.fromAsync(chunksOf(body));
  expect(chunks.map(({ length }) => length)).toEqual(sizes);
  expect(Buffer.concat(chunks).equals(all)).toBe(true);
});

test.each([
  { lists: [], from: 0, pages: [] },
  { lists: [[]], from: 0, pages: [] },
  {
    lists: [[1, 2], [3, 4, 5, 6, 7], [], [8]],
    from: 0,
    pages: [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8],
    ],
  },
  { lists: [[1, 2], [3, 4, 5, 6, 7], [8]], from: 4, pages: [[5, 6, 7], [8]] },
  { lists: [[1, 2, 3]], from: 3, pages: [] },
  { lists: [[1, 2], [3]], from: 9, pages: [] },
])('regroups $lists into pages of three, from item $from', async ({ lists, from, pages }) => {
  expect(await Array.fromAsync(pagesOf<number>(lists, 3, from))).toEqual(pages);
});

test('lets other work run between the slices of a document', async () => {
  const items = Array.from({ length: 20_000 }, (_none, index) => ({ index, text: 'a'.repeat(20) }));
  const reader = createItemReader({
    ...{ list: 'data', maxItems: 50_000, maxItemBytes: 1_000 },
    ...{ maxDepth: 5, maxValues: 10, maxNumberLength: 10 },
  });
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const bytes = Buffer.from(JSON.stringify({ data: items }));
  const read: unknown[] = [];
  for await (const some of itemsIn([bytes], reader)) read.push(...some);
  clearImmediate(immediate);
  expect(read).toEqual(items);
  expect(turns).toBeGreaterThanOrEqual(Math.floor(bytes.length / (64 * 1024)) - 1);
});
