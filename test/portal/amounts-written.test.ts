import { expect, test } from 'vitest';
import { pesosIn } from '../../src/portal/operator/forms/read.ts';

test.each([
  ['1500', 150_000],
  ['1.500', 150_000],
  ['1.500,5', 150_050],
  ['$ 1.500,50', 150_050],
  ['1500,50', 150_050],
  ['1500.50', 150_050],
  ['1.234.567,89', 123_456_789],
  ['-1.430,50', -143_050],
  ['0', 0],
])('reads %s as the same amount in every operator form', (text, centavos) => {
  expect(pesosIn(text)).toBe(centavos);
});

test.each(['', 'x', '1,500.50', '1.50,5', '1.43.0,5', '15.00,00', '1.5000', '1,500', '1,', '--1'])(
  'rejects %j as an amount',
  (text) => {
    expect(pesosIn(text)).toBeNull();
  },
);
