import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/kernel/json.ts';
import {
  type Centavos,
  centavos,
  decimalText,
  formatPesos,
  minus,
  negate,
  parseAmount,
  plus,
  share,
  sumOf,
  toJsonNumber,
  zero,
} from '../../src/kernel/money.ts';

const amounts = fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }).map(centavos);
const wide = fc.integer({ min: -(10 ** 15), max: 10 ** 15 }).map(centavos);
const ok = (value: number) => ({ ok: true, value });
const refused = (fault: string) => ({ ok: false, fault });

test('accepts only safe integers as centavos, and gives zero no sign', () => {
  for (const bad of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    expect(() => centavos(bad)).toThrow(RangeError);
  }
  expect(Object.is(centavos(-0), 0)).toBe(true);
});

test.each([
  [1430, 143_000],
  [13.53, 1353],
  [0.1, 10],
  [1.1, 110],
  [-5, -500],
  [-0, 0],
  [99_999_999.99, 9_999_999_999],
  ['123.45', 12_345],
  ['123.4', 12_340],
  ['00000123.00', 12_300],
  ['-0.05', -5],
  ['-0', 0],
  ['0', 0],
])('accepts %j as an amount', (input, expected) => {
  expect(parseAmount(input)).toEqual(ok(expected));
});

test.each([
  ['1.005', 'decimals'],
  ['123456789', 'digits'],
  ['123456789.123', 'digits'],
  ['', 'format'],
  [' 1', 'format'],
  ['1\n', 'format'],
  ['+1', 'format'],
  ['1.', 'format'],
  ['.5', 'format'],
  ['1.100', 'decimals'],
  ['1.5000', 'decimals'],
  ['1e2', 'format'],
  ['1,5', 'format'],
  ['0x10', 'format'],
  ['١', 'format'],
  ['Infinity', 'format'],
  [1.005, 'decimals'],
  [0.3001, 'decimals'],
  [1e-3, 'decimals'],
  [0.3000011, 'decimals'],
  [0.2999989, 'decimals'],
  [99_999_999.999_999_9, 'digits'],
  [100_000_000, 'digits'],
  [1e21, 'digits'],
  [Number.NaN, 'digits'],
  [Number.NEGATIVE_INFINITY, 'digits'],
  [null, 'type'],
  [undefined, 'type'],
  [true, 'type'],
  [10n, 'type'],
  [{}, 'type'],
  [[1], 'type'],
])('refuses %s for its %s', (input, fault) => {
  expect(parseAmount(input)).toEqual(refused(fault));
});

test.each([
  ['1e400', 'digits'],
  ['9007199254740993', 'digits'],
  ['10.00001', 'decimals'],
])('judges the JSON number %s by its own digits', (literal, fault) => {
  expect(parseAmount(parseJson(literal))).toEqual(refused(fault));
});

test('accepts a JSON number with an exponent if it is a legal amount', () => {
  expect(parseAmount(parseJson('1.5e3'))).toEqual(ok(150_000));
});

test.each([
  [0.1 + 0.2, 30],
  ['300.29999999999995', 30_030],
  [300.299_999_999_999_95, 30_030],
  [300.300_000_9, 30_030],
  [-1.000_000_5, -100],
  [1e-7, 0],
  [parseJson('1e-400'), 0],
  [parseJson('1e-99999999999999999999'), 0],
  [parseJson('10.000000000000000000001'), 1_000],
])('rounds away floating-point noise in %s', (input, units) => {
  expect(parseAmount(input)).toEqual(ok(units));
});

test('reads every number within 1e-6 of an amount as that amount, and none farther off', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: -3_000, max: 3_000 }), (amount, off) => {
      const text = (BigInt(amount) * 10_000_000n + BigInt(off)).toString();
      const digits = text.replace('-', '').padStart(10, '0');
      const sign = text.startsWith('-') ? '-' : '';
      const literal = `${sign}${digits.slice(0, -9)}.${digits.slice(-9)}`;
      const read = parseAmount(literal);
      if (Math.abs(off) <= 1_000) expect(read).toEqual(ok(amount));
      else expect(read).toEqual(refused('decimals'));
    }),
  );
});

test('preserves every amount through text and JSON number', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(parseAmount(decimalText(amount))).toEqual(ok(amount));
      expect(parseAmount(toJsonNumber(amount))).toEqual(ok(amount));
      expect(parseAmount(parseJson(JSON.stringify(toJsonNumber(amount))))).toEqual(ok(amount));
    }),
  );
});

test('writes an amount as the JSON number of its decimal text, without noise', () => {
  fc.assert(
    fc.property(wide, (amount) => {
      expect(toJsonNumber(amount)).toBe(Number(decimalText(amount)));
      const trimmed = decimalText(amount).replace(/\.?0+$/, '');
      expect(JSON.stringify(toJsonNumber(amount))).toBe(trimmed);
    }),
    { numRuns: 2000 },
  );
  expect(JSON.stringify([143_000, 1353, 10].map((n) => toJsonNumber(centavos(n))))).toBe(
    '[1430,13.53,0.1]',
  );
});

test('formats pesos as in Argentina', () => {
  const written = [0, 5, 143_000, 123_456_789_01, -99_950].map((n) => formatPesos(centavos(n)));
  expect(written).toEqual(['$ 0,00', '$ 0,05', '$ 1.430,00', '$ 123.456.789,01', '-$ 999,50']);
});

test('formats pesos like Intl', () => {
  const intl = new Intl.NumberFormat('es-AR', { style: 'currency', currency: 'ARS' });
  fc.assert(
    fc.property(amounts, (amount) => {
      const expected = intl.format(toJsonNumber(amount)).replace('\u00a0', ' ');
      expect(formatPesos(amount)).toBe(expected);
    }),
  );
});

test.each([
  [10_000, 210_000, 2100],
  [1, 500_000, 1],
  [1, 499_999, 0],
  [-1, 500_000, -1],
  [-3, 500_000, -2],
  [101, 5000, 1],
  [9_999_999_999, 999_999, 9_999_989_999],
  [9_007_199_254_740_991, 1_000_000, 9_007_199_254_740_991],
])('computes the share of %i at %i millionths as %i', (amount, ppm, expected) => {
  expect(share(centavos(amount), ppm)).toBe(expected);
});

test('computes a share within half a centavo of the exact part, with the same sign', () => {
  fc.assert(
    fc.property(wide, fc.integer({ min: 0, max: 1_000_000 }), (amount, ppm) => {
      const part = share(amount, ppm);
      const error = 2n * (BigInt(part) * 1_000_000n - BigInt(amount) * BigInt(ppm));
      const size = error < 0n ? -error : error;
      expect(size <= 1_000_000n).toBe(true);
      expect(share(centavos(-amount), ppm) + part).toBe(0);
    }),
  );
  expect(() => share(centavos(1), 0.5)).toThrow(RangeError);
});

test('computes exact sums, differences and opposites without minus zero, or refuses', () => {
  fc.assert(
    fc.property(wide, wide, (a, b) => {
      expect(plus(a, b)).toBe(Number(BigInt(a) + BigInt(b)));
      expect(minus(plus(a, b), b)).toBe(a);
      expect(plus(negate(a), a)).toBe(zero);
    }),
  );
  expect(Object.is(negate(zero), 0)).toBe(true);
  const most = centavos(Number.MAX_SAFE_INTEGER);
  expect(() => plus(most, centavos(1))).toThrow(RangeError);
  expect(() => minus(negate(most), centavos(1))).toThrow(RangeError);
});

test('sums a list of amounts exactly, or refuses', () => {
  expect(sumOf([])).toBe(0);
  expect(sumOf([1, 2, -4].map(centavos))).toBe(-1);
  const most = centavos(Number.MAX_SAFE_INTEGER);
  const pair: Centavos[] = [most, most];
  expect(() => sumOf(pair)).toThrow(RangeError);
});
