import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  brandOf,
  lastFour,
  parseCardNumber,
  passesLuhn,
  passesNaranja,
} from '../../src/kernel/card-number.ts';

test.each([
  ['4507990000004905', 'visa'],
  ['5299910010000015', 'mastercard'],
  ['5896570000000008', 'cabal'],
  ['4517721004856075', 'visa'],
  ['373953192351004', 'amex'],
  ['4546400044997331', 'visa'],
  ['5455330200000016', 'mastercard'],
  ['4258210000474094', 'visa'],
  ['5204230010000012', 'mastercard'],
  ['4517720194823929', 'visa'],
  ['5031755734530604', 'mastercard'],
  ['4509953566233704', 'visa'],
  ['371180303257522', 'amex'],
  ['5895627823453005', 'naranja'],
  ['5895627087232438', 'naranja'],
])('recognizes the published test card %s as %s', (number, brand) => {
  expect(parseCardNumber(number)).toEqual({ ok: true, number, brand });
});

test('ignores spaces and dashes', () => {
  const expected = { ok: true, number: '4507990000004905', brand: 'visa' };
  expect(parseCardNumber(' 4507 9900-0000\u00a04905 ')).toEqual(expected);
});

test.each([
  ['4507990000004906', 'check-digit'],
  ['5895627823453006', 'check-digit'],
  ['45079900000049', 'length'],
  ['37395319235100', 'length'],
  ['4507', 'length'],
  ['', 'length'],
  ['45079900000049050000', 'length'],
  ['9999999999999999', 'brand'],
  ['4507x90000004905', 'characters'],
  ['٤٥٠٧٩٩٠٠٠٠٠٠٤٩٠٥', 'characters'],
])('refuses %j for its %s', (text, fault) => {
  expect(parseCardNumber(text)).toEqual({ ok: false, fault });
});

test.each([
  ['604201', 'cabal'],
  ['604400', 'cabal'],
  ['60440100', null],
  ['603522', 'cabal'],
  ['650272', 'cabal'],
  ['65008700', 'cabal'],
  ['65008701', null],
  ['589657', 'cabal'],
  ['589562', 'naranja'],
  ['402917', 'naranja'],
  ['527572', 'naranja'],
  ['377798', 'naranja'],
  ['377797', 'amex'],
  ['402919', 'visa'],
  ['527573', 'mastercard'],
  ['222099', null],
  ['222100', 'mastercard'],
  ['272099', 'mastercard'],
  ['272100', null],
  ['559999', 'mastercard'],
  ['560000', null],
  ['305999', 'diners'],
  ['306000', null],
  ['360000', 'diners'],
  ['380000', 'diners'],
  ['501800', 'maestro'],
  ['500033', 'maestro'],
  ['589300', 'maestro'],
  ['599999', 'maestro'],
  ['676700', 'maestro'],
  ['639099', 'maestro'],
  ['5', null],
])('identifies the brand of numbers that start with %s: %s', (prefix, brand) => {
  expect(brandOf(prefix)).toBe(brand);
});

test('accepts a Naranja number that passes its own check or Luhn’s', () => {
  for (const number of ['5895627823453005', '5895627087232438']) {
    expect([passesNaranja(number), passesLuhn(number)]).toEqual([true, false]);
  }
  const byLuhn = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    .map((digit) => `589562782345300${digit}`)
    .filter((number) => passesLuhn(number));
  expect(byLuhn.map((number) => parseCardNumber(number).ok)).toEqual([true]);
});

test('accepts exactly one Naranja check digit, zero for remainders 0 and 1', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{9}$/), (middle) => {
      const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
      const right = digits.filter((digit) => passesNaranja(`589562${middle}${digit}`));
      expect(right).toHaveLength(1);
    }),
    { numRuns: 500 },
  );
});

test('ignores the check digit of numbers from 377798 and 377799', () => {
  for (const digit of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    expect(parseCardNumber(`37779912345678${digit}`).ok).toBe(true);
    expect(parseCardNumber(`377798123456789${digit}`).ok).toBe(true);
  }
});

test('returns the last four digits', () => {
  expect(lastFour('373953192351004')).toBe('1004');
});
