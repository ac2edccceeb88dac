import { expect, test } from 'vitest';
import { bankOf, banksAsOf } from '../../src/kernel/banks.ts';

test.each([
  ['0070999000000123456784', 'Galicia'],
  ['0110599500000123456784', 'Nación'],
  ['2850590940090418135201', 'Macro'],
  ['0140019901401901247953', 'Provincia de Buenos Aires'],
])('identifies %s as an account at %s', (cbu, name) => {
  expect(bankOf(cbu)).toBe(name);
});

test('names an unknown bank by its code, since new banks appear', () => {
  expect(bankOf('9990001500000000000001')).toBe('Entidad 999');
});

test('states the month of its table of banks', () => {
  expect(banksAsOf).toMatch(/^\d{4}-\d{2}$/);
});
