import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createItemReader } from '../../src/kernel/json-items.ts';
import type { Counted, Order } from './fixtures/json-steps.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

let counter: Worker;
beforeAll(() => {
  counter = new Worker(new URL('./fixtures/json-steps.ts', import.meta.url));
});
afterAll(() => counter.terminate());

/** Counts the steps of one order. Waits for its answer before the next. */
async function count(order: Order): Promise<Counted> {
  counter.postMessage(order);
  const [counted] = await once(counter, 'message');
  return counted;
}

/** Limits for each byte and each piece. */
const stepsPerByte = 40;
const stepsPerPiece = 100;
const fixed = 20_000;

async function expectLinear(text: string, pieceBytes: number): Promise<void> {
  const { steps, length } = await count({ text, pieceBytes });
  const most = fixed + stepsPerByte * length + stepsPerPiece * (length / pieceBytes);
  expect(steps, `${text.slice(0, 60)}… of ${length} bytes`).toBeLessThan(most);
  // Guards the counter itself: any reading takes steps.
  expect(steps).toBeGreaterThan(0);
}

test('spends constant time per colon on a name followed by endless colons', async () => {
  await expectLinear(`{"a"${':'.repeat(65_000)}`, 65_536);
});

test('neither copies nor rescans an item that arrives byte by byte', async () => {
  await expectLinear(`{"data":["${'x'.repeat(60_000)}"]}`, 1);
});

test('takes steps in proportion to a batch’s bytes, whatever their content and chunks', async () => {
  const units = fc.oneof(
    fc.constantFrom(
      ...[
        '"',
        '\\',
        '":',
        '"a":',
        '[',
        '{',
        ']',
        '}',
        ',',
        '1e400,',
        '9',
        '-',
        '.',
        ' ',
        '\\u0064',
      ],
      ...['{"a":[', '"data":[', '"data":', '[],', '{},', '"",', '[[],', '\u00e9', '\u0000', '",'],
    ),
    fc.string({ minLength: 1, maxLength: 6 }),
  );
  const starts = fc.constantFrom('', '{', '{"a"', '{"a":', '{"data":[', '{"data":["', '{"data":[{');
  const ends = fc.constantFrom('', '}', ']}', '"]}', '1]}');
  const pieces = fc.constantFrom(1, 7, 1_000, 65_536);
  await fc.assert(
    fc.asyncProperty(starts, units, ends, pieces, async (start, unit, end, pieceBytes) => {
      const times = Math.floor(20_000 / unit.length);
      await expectLinear(start + unit.repeat(times) + end, pieceBytes);
    }),
    { numRuns: 50, seed: 20261122 },
  );
}, 120_000);

test('does not mistake many short numbers for a long one', () => {
  const bounds = { maxDepth: 10, maxValues: 10, maxNumberLength: 10 };
  const reader = createItemReader({ list: 'data', maxItems: 100, maxItemBytes: 100, ...bounds });
  expect(reader.push(bytesOf(`{"data":[${Array(50).fill(1).join()}]}`))).toHaveLength(50);
  expect(reader.end()).toMatchObject({ count: 50 });
});

test('checks a text’s bounds in time proportional to its length', async () => {
  const bounds = { maxDepth: 100, maxValues: 1_000, maxNumberLength: 50 };
  for (const [text, fault] of [
    ['['.repeat(50_000), { bound: 'depth', max: 100, at: 100 }],
    [`[${'1e400,'.repeat(20_000)}1]`, { bound: 'values', max: 1_000 }],
    [`[${'9'.repeat(50_000)}]`, { bound: 'number', max: 50, at: 51 }],
    [`["${'\\"[{,:9'.repeat(10_000)}"]`, null],
  ] as const) {
    const { steps, length, fault: found } = await count({ text, bounds });
    if (fault === null) expect(found).toBeNull();
    else expect(found).toMatchObject(fault);
    expect(steps / length).toBeLessThan(10);
  }
});
