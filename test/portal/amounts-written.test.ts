import { expect, test } from 'vitest';
import { typedPesos } from '../../src/portal/frame/filters.tsx';

test.each([
  ['1500', 150_000],
  ['1.500', 150_000],
  ['1.500,5', 150_050],
  ['$ 1.500,50', 150_050],
  ['1500,50', 150_050],
  ['1500.50', 150_050],
  ['1.234.567,89', 123_456_789],
  ['1,500.50', 150_050],
])('reads %s as %i centavos', (text, centavos) => {
  expect(typedPesos(text)).toBe(centavos);
});

test.each([
  '',
  'x',
  '0',
  '-1.430,50',
  '1.50,5',
  '1.43.0,5',
  '15.00,00',
  '1.5000',
  '1,500',
  '1,',
  '--1',
])('rejects %j as an amount', (text) => {
  expect(typedPesos(text)).toBeNull();
});
