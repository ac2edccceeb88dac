import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/kernel/json.ts';
import { duplicateName } from '../../src/kernel/json-duplicates.ts';
import { createItemReader, type ItemReaderOptions } from '../../src/kernel/json-items.ts';
import { MalformedDocument, TooManyItems } from '../../src/kernel/malformed-document.ts';

const bounds: ItemReaderOptions = {
  list: 'data',
  maxItems: 1000,
  maxItemBytes: 65_536,
  maxDepth: 100,
  maxValues: 1000,
  maxNumberLength: 1000,
};

interface Read {
  items: unknown[];
  members: Record<string, unknown>;
  count: number | null;
}

function readPieces(pieces: Uint8Array[], options: Partial<ItemReaderOptions> = {}): Read {
  const reader = createItemReader({ ...bounds, ...options });
  const items: unknown[] = [];
  for (const piece of pieces) {
    items.push(...reader.push(piece));
    // The reader must not keep its caller's buffer.
    piece.fill(0x5d);
  }
  return { items, ...reader.end() };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const read = (text: string, options: Partial<ItemReaderOptions> = {}): Read =>
  readPieces([bytesOf(text)], options);

/** Cuts bytes at places given in thousandths of the length, which may coincide. */
function cut(bytes: Uint8Array, shares: number[]): Uint8Array[] {
  const places = shares.map((share) => Math.floor((share * bytes.length) / 1000));
  const borders = [0, ...places.sort((a, b) => a - b), bytes.length];
  return borders.slice(1).map((border, nth) => bytes.slice(borders[nth], border));
}

const shares = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 8 });
const names = fc.oneof(fc.string(), fc.constantFrom('total_count', 'a"b', '\\', '{', '__proto__'));
const json = fc.jsonValue({ noneDefault: false } as never).map((value) => JSON.stringify(value));
const spaces = fc.stringMatching(/^[ \n\r\t]{0,3}$/);

/**
 * Generates documents: members in any order, with or without the list, with white space anywhere.
 */
const documents = fc
  .record({
    members: fc.uniqueArray(fc.tuple(names, json), { selector: ([name]) => name, maxLength: 4 }),
    items: fc.option(fc.array(json, { maxLength: 6 })),
    place: fc.nat(4),
    listName: fc.constantFrom('"data"', '"d\\u0061ta"'),
    space: spaces,
  })
  .map(({ members, items, place, listName, space }) => {
    const texts = members
      .filter(([name]) => name !== 'data')
      .map(([name, value]) => `${JSON.stringify(name)}${space}:${space}${value}`);
    if (items) {
      const list = items.join(`${space},${space}`);
      texts.splice(place, 0, `${listName}${space}:${space}[${space}${list}${space}]`);
    }
    return `${space}{${space}${texts.join(`${space},`)}${space}}${space}`;
  });

/** Reads the document as a whole, for comparison. */
function whole(text: string): Read {
  const { data, ...members } = parseJson(text) as { data?: unknown[] };
  return { items: data ?? [], members, count: data?.length ?? null };
}

test('reads any document, cut anywhere, like JSON.parse', () => {
  fc.assert(
    fc.property(documents, shares, fc.boolean(), (text, places, mark) => {
      const bytes = bytesOf(mark ? `\ufeff${text}` : text);
      expect(readPieces(cut(bytes, places))).toEqual(whole(text));
    }),
    { seed: 1, numRuns: 1500 },
  );
});

test('reads a document the same way, split between any two bytes', () => {
  const text =
    '{"ñ":"\\"é😀\\\\","data":[{"a":"ñ,]}\\\\"},"\\"]",[1,[2]],-1.5e3,null],"n":[{"data":[1]}]}';
  const bytes = bytesOf(text);
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(readPieces([bytes.slice(0, at), bytes.slice(at)])).toEqual(whole(text));
  }
  expect(readPieces(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole(text));
});

test('refuses a damaged document exactly when JSON.parse refuses it', () => {
  const damage = fc.record({
    at: fc.nat(999),
    drop: fc.nat(3),
    put: fc.constantFrom('', ',', ']', '[', '}', '{', '"', ':', '\\', '1', '\n', 'null', '\u0001'),
  });
  let refused = 0;
  fc.assert(
    fc.property(documents, damage, shares, (text, { at, drop, put }, places) => {
      const from = Math.floor((at * text.length) / 1000);
      const damaged = text.slice(0, from) + put + text.slice(from + drop);
      const expected = attempt(() => {
        const value: unknown = JSON.parse(damaged);
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
        const list = isObject && 'data' in value ? value.data : [];
        if (!isObject || !Array.isArray(list)) throw new Error('not a document');
        if (duplicateName(damaged, value) !== null) throw new Error('a name twice');
        return whole(damaged);
      });
      const actual = attempt(() => readPieces(cut(bytesOf(damaged), places)));
      if (expected === null) refused += 1;
      // A duplicate list is valid JSON, but ambiguous.
      if (actual === null && damaged.split(/"d(?:a|\\u0061)ta"/).length > 2) return;
      expect(actual).toEqual(expected);
    }),
    { seed: 2, numRuns: 3000 },
  );
  expect(refused).toBeGreaterThan(500);
});

test.each([
  '{"data":[{"id":"a","id":"b"}]}',
  '{"data":[{"x":1},{"y":{"z":1,"z":2}}]}',
  '{"total_count":1,"total_count":2,"data":[]}',
])('refuses a duplicate name: %s', (text) => {
  expect(() => readPieces([bytesOf(text)])).toThrow(/^name_twice at byte/);
});

function attempt(call: () => Read): Read | null {
  try {
    return call();
  } catch (error) {
    if (error instanceof MalformedDocument || !(error instanceof TypeError)) return null;
    throw error;
  }
}

test('preserves the digits of numbers that binary64 would change, in items and in members', () => {
  const { items, members } = read('{"data":[{"n":9007199254740993},1],"total_count":1e400}');
  expect(JSON.stringify([items, members])).toBe(
    '[[{"n":9007199254740993},1],{"total_count":1e400}]',
  );
});

test('returns only the other members of a document without the list', () => {
  expect(read('{"total_count":2}')).toEqual({
    items: [],
    members: { total_count: 2 },
    count: null,
  });
  expect(read('{"data":[ ]}')).toEqual({ items: [], members: {}, count: 0 });
});

describe('reports the place of a fault', () => {
  test.each([
    ['', 0, 'ends_early'],
    ['  ', 2, 'ends_early'],
    ['[1]', 0, 'not_object'],
    ['x', 0, 'not_object'],
    ['\u001f\u008b', 0, 'not_object'],
    ['{"data":[1,2', 12, 'ends_early'],
    ['{"data":[1,2]', 13, 'ends_early'],
    ['{"data":["a', 11, 'ends_early'],
    ['{"data":[1]} {}', 13, 'more_follows'],
    ['{"data":[1]}\ufeff', 12, 'more_follows'],
    ['{"data":[1,]}', 11, 'item_not_json', 1],
    ['{"data":[,1]}', 9, 'item_not_json', 0],
    ['{"data":[1,,2]}', 11, 'item_not_json', 1],
    ['{"data":[1,{"a":01},2]}', 11, 'item_not_json', 1],
    ['{"data":[1}', 10, 'brace_unopened'],
    ['{"data":[{]}', 11, 'brace_unopened'],
    ['{"data":[{]]}', 9, 'item_not_json', 0],
    ['{"data":{}}', 11, 'list_not_array'],
    ['{"data":null}', 13, 'list_not_array'],
    ['{"data":[1],"data":[2]}', 18, 'list_twice'],
    ['{"data":[1],"d\\u0061ta":[2]}', 23, 'list_twice'],
    ['{"data":1,"data":[2]}', 16, 'list_twice'],
    ['{"data":[1] "a":1}', 18, 'not_json'],
    ['{"data" "data":[1]}', 19, 'not_json'],
  ])('reports the fault of %j at byte %i', (text, offset, name, ...index) => {
    const { fault, parameters, ...found } = faultOf(() => read(text));
    expect(fault).toBe(name);
    expect('index' in parameters ? [parameters.index] : []).toEqual(index);
    if (fault !== 'not_json') expect(found.offset).toBe(offset);
  });

  test('refuses bytes that are not UTF-8, in an item and outside', () => {
    const before = bytesOf('{"data":[1,"');
    const item = faultOf(() => readPieces([before, Uint8Array.of(0xff), bytesOf('"]}')]));
    expect(item.parameters).toMatchObject({ index: 1 });
    const name = faultOf(() => readPieces([bytesOf('{"'), Uint8Array.of(0xc3), bytesOf('":1}')]));
    expect(name.fault).toBe('not_json');
  });
});

describe('bounds', () => {
  test('distinguishes too many items from bad syntax', () => {
    expect(read('{"data":[1,2,3]}', { maxItems: 3 }).count).toBe(3);
    const fault = faultOf(() => read('{"data":[1,2,3,4]}', { maxItems: 3 }));
    expect(fault).toBeInstanceOf(TooManyItems);
  });

  test('limits an item’s length exactly, even if the item never ends', () => {
    const item = `"${'x'.repeat(48)}"`;
    expect(read(`{"data":[1,${item}]}`, { maxItemBytes: 50 }).count).toBe(2);
    for (const text of [`{"data":[1,${item} ]}`, `{"data":[1,"${'x'.repeat(60)}`]) {
      expect(faultOf(() => read(text, { maxItemBytes: 50 })).parameters).toEqual({
        index: 1,
        at: 11,
        max: 50,
      });
    }
  });

  test('limits the rest of the document as well', () => {
    const text = `{"a":"${'x'.repeat(50)}"}`;
    expect(faultOf(() => read(text, { maxItemBytes: 50 })).parameters).toEqual({
      list: 'data',
      max: 50,
    });
  });

  test('counts depth from the item, and outside the list from the document', () => {
    expect(read('{"data":[{"a":[1]}]}', { maxDepth: 2 }).count).toBe(1);
    const deep = `{"data":[${'['.repeat(50_000)}`;
    expect(faultOf(() => read(deep, { maxDepth: 2 })).parameters).toMatchObject({
      bound: 'depth',
      max: 2,
    });
    expect(faultOf(() => read('{"a":{"b":{}}}', { maxDepth: 2 })).offset).toBe(10);
  });
});

function faultOf(call: () => unknown): MalformedDocument {
  try {
    call();
  } catch (error) {
    if (error instanceof MalformedDocument) return error;
    throw error;
  }
  throw new Error('the document was accepted');
}
