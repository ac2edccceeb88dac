import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/kernel/json.ts';
import { duplicateName } from '../../src/kernel/json-duplicates.ts';

const inText = (text: string) => duplicateName(text, parseJson(text));

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"x":{"b":[{"c":1,"d":2,"c":3}]}}', 'c'],
  ['{"a" : 1, "\\u0061":2}', 'a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"":1,"":2}', ''],
])('finds a duplicate name in %s', (text, name) => {
  expect(inText(text)).toBe(name);
});

test('accepts documents with unique names, whatever their texts contain', () => {
  expect(inText('{"a":{"a":{"a":":\\":"}},"b":[":",{"a":1},{"a":9007199254740993}]}')).toBeNull();
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(inText(text)).toBeNull();
    }),
  );
});
