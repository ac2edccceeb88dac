import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decimalForm,
  hasForbiddenText,
  isRawNumber,
  jsonDepth,
  parseJson,
} from '../../src/kernel/json.ts';

test.each([
  '9007199254740993',
  '0.1000000000000000055',
  '1e400',
  '-1e400',
  '1e-400',
  '123456789012345678901234567890',
  '1E+309',
  `0.${'0'.repeat(400)}1`,
])('preserves the number %s digit for digit, in any position', (literal) => {
  for (const text of [literal, `[${literal}]`, `{"a":{"b":[1,"x",${literal}]},"c":2}`]) {
    expect(JSON.stringify(parseJson(text))).toBe(text);
  }
  expect(isRawNumber(parseJson(literal))).toBe(true);
});

test.each([
  '0',
  '-0.0',
  '1.50',
  '1e2',
  '0e999999',
  '9007199254740992',
  '0.1',
  '1e308',
  '5e-324',
  '100000000000000000000',
  '0.10000000000000000000',
])('parses the number %s, which binary64 represents, as an ordinary number', (literal) => {
  expect(parseJson(literal)).toBe(JSON.parse(literal));
});

test('parses any JSON value like JSON.parse', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('preserves any decimal literal through parse and print', () => {
  const digits = fc.stringMatching(/^[1-9]\d{0,30}$/);
  const fraction = fc.stringMatching(/^(\.\d{1,30})?$/);
  const power = fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined });
  fc.assert(
    fc.property(
      fc.constantFrom('', '-'),
      digits,
      fraction,
      power,
      (sign, whole, rest, exponent) => {
        const literal = `${sign}${whole}${rest}${exponent === undefined ? '' : `e${exponent}`}`;
        const printed = JSON.stringify(parseJson(`{"n": ${literal}}`)).slice(5, -1);
        expect(decimalForm(printed)).toEqual(decimalForm(literal));
      },
    ),
  );
});

test('leaves numbers inside strings and keys unchanged', () => {
  const text = '{"1e400":"[1e400, 9007199254740993]","\\"":",12345678901234567890","n":1e400}';
  expect(JSON.stringify(parseJson(text))).toBe(text);
});

test('treats __proto__ as an ordinary own key, when parsing and printing', () => {
  for (const text of [
    '{"__proto__":{"a":1}}',
    '{"__proto__":1e400}',
    '{"__proto__":{"a":1e400}}',
  ]) {
    const value = parseJson(text);
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe(text);
  }
});

test('keeps the last value of a duplicate key, even if one is a number kept as text', () => {
  expect(JSON.stringify(parseJson('{"a":1e400,"a":1}'))).toBe('{"a":1}');
  expect(JSON.stringify(parseJson('{"a":1,"a":1e400}'))).toBe('{"a":1e400}');
});

test.each(['', '{', '01', '1e', '{1e400:1}', '[1e400', '"\u0001"', 'NaN', '[1,]'])(
  'throws a SyntaxError for malformed text %j',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  },
);

test('neither recurses nor overflows on a document nested a hundred thousand deep', () => {
  const deep = `${'[{"a":'.repeat(50_000)}1e400${'}]'.repeat(50_000)}`;
  const value = parseJson(deep);
  expect(jsonDepth(value)).toBe(100_000);
  expect(hasForbiddenText(value)).toBe(false);
});

test('counts containers as depth, and a number kept as text as a scalar', () => {
  expect(jsonDepth(1)).toBe(0);
  expect(jsonDepth(parseJson('1e400'))).toBe(0);
  expect(jsonDepth({})).toBe(1);
  expect(jsonDepth([1, [2, { a: [] }], {}])).toBe(4);
});

test('finds NUL and lone surrogates in any string and any key', () => {
  expect(hasForbiddenText({ a: ['ok', { b: 'fine 😀 \n' }], n: 1, x: null })).toBe(false);
  expect(hasForbiddenText(parseJson('1e400'))).toBe(false);
  for (const bad of ['\0', 'a\0b', '\ud800', 'x\udc00']) {
    expect(hasForbiddenText(bad)).toBe(true);
    expect(hasForbiddenText([{ a: [bad] }])).toBe(true);
    expect(hasForbiddenText({ a: { [bad]: 1 } })).toBe(true);
  }
});
