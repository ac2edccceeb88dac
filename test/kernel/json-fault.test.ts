import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFaultIndex } from '../../src/kernel/json-fault.ts';

test.each([
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{"a":1 "b":2}', 7],
  ["{'a':1}", 1],
  ['{a:1}', 1],
  ['[1,2,]', 5],
  ['[1 2]', 3],
  ['{"a":01}', 6],
  ['{"a":+1}', 5],
  ['{"a":1.}', 6],
  ['{"a":NaN}', 5],
  ['{"a":"x\ny"}', 7],
  ['{"a":"\\x"}', 6],
  ['{"a":1}}', 7],
  ['[}', 1],
  ['{]', 1],
  ['', 0],
  ['{"a":', 5],
  ['"abc', 4],
])('finds the fault of %j at character %i', (text, index) => {
  expect(jsonFaultIndex(text)).toBe(index);
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('finds no fault in valid JSON, or in the text before a fault', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (json, place, letters) => {
      expect(jsonFaultIndex(json)).toBe(json.length);
      const at = place % (json.length + 1);
      const broken = json.slice(0, at) + letters + json.slice(at + letters.length);
      const index = jsonFaultIndex(broken);
      if (isJson(broken)) expect(index).toBe(broken.length);
      else if (index < broken.length) expect(jsonFaultIndex(broken.slice(0, index))).toBe(index);
    }),
    { seed: 20261126, numRuns: 2_000 },
  );
});
