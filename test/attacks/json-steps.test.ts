import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from '../../src/kernel/json-bounds.ts';
import { createItemReader } from '../../src/kernel/json-items.ts';
import { countSteps } from '../harness/steps.ts';

const files = /src\/kernel\/json/;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Reads until the document is refused or ends; bounds so wide that none of them ends it early. */
function read(text: string, pieceBytes: number): void {
  const reader = createItemReader({
    list: 'data',
    maxItems: 10_000,
    maxItemBytes: 1_000_000,
    maxDepth: 1_000_000,
    maxValues: 1_000_000,
    maxNumberLength: 1_000_000,
  });
  const bytes = bytesOf(text);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      reader.push(bytes.subarray(at, at + pieceBytes));
    }
    reader.end();
  } catch {
    // Refused: what counts is what it cost.
  }
}

/** What each byte and each piece may cost at most. */
const stepsPerByte = 40;
const stepsPerPiece = 100;
const fixed = 20_000;

async function expectLinear(text: string, pieceBytes: number): Promise<void> {
  const steps = await countSteps(files, () => read(text, pieceBytes));
  const length = bytesOf(text).length;
  const most = fixed + stepsPerByte * length + stepsPerPiece * (length / pieceBytes);
  expect(steps, `${text.slice(0, 60)}… of ${length} bytes`).toBeLessThan(most);
  // The counter counts: whatever was read took at least a step for each piece.
  expect(steps).toBeGreaterThan(0);
}

test('a name followed by colons without end costs no more for each colon', async () => {
  await expectLinear(`{"a"${':'.repeat(65_000)}`, 65_536);
});

test('an item that comes byte by byte is neither copied nor searched again with each byte', async () => {
  await expectLinear(`{"data":["${'x'.repeat(60_000)}"]}`, 1);
});

test('a batch costs steps in proportion to its bytes, whatever they are and however they come', async () => {
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

test('a list of many short numbers is no long one', () => {
  const bounds = { maxDepth: 10, maxValues: 10, maxNumberLength: 10 };
  const reader = createItemReader({ list: 'data', maxItems: 100, maxItemBytes: 100, ...bounds });
  expect(reader.push(bytesOf(`{"data":[${Array(50).fill(1).join()}]}`))).toHaveLength(50);
  expect(reader.end()).toMatchObject({ count: 50 });
});

test('bounds are checked in one pass over the bytes, before anything is parsed', async () => {
  const bounds = { maxDepth: 100, maxValues: 1_000, maxNumberLength: 50 };
  const steps = async (text: string) => {
    const bytes = bytesOf(text);
    let fault: string | null = null;
    const count = await countSteps(files, () => {
      fault = jsonFault(bytes, bounds);
    });
    return { fault: String(fault), perByte: count / bytes.length };
  };
  for (const [text, fault] of [
    ['['.repeat(50_000), /More than 100 objects and arrays/],
    [`[${'1e400,'.repeat(20_000)}1]`, /More than 1000 names and values/],
    [`[${'9'.repeat(50_000)}]`, /A number has more than 50 characters/],
    [`["${'\\"[{,:9'.repeat(10_000)}"]`, /null/],
  ] as const) {
    const found = await steps(text);
    expect(found.fault).toMatch(fault);
    expect(found.perByte).toBeLessThan(10);
  }
});
