import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import {
  amountIn,
  amountOrZeroIn,
  businessDaysIn,
  channelIn,
  dayIn,
  idIn,
  payoutAmountIn,
  percentageIn,
  reasonIn,
  referenceIn,
  signedAmountIn,
} from '../../src/cli/arguments.ts';

describe('an argument is read as what it means:', () => {
  test.each([
    [amountIn, '1250.5', 125_050],
    [amountIn, '99999999.99', 9_999_999_999],
    [payoutAmountIn, '100000000.00', 10_000_000_000],
    [signedAmountIn, '-250000000.01', -25_000_000_001],
    [amountOrZeroIn, '0', 0],
    [signedAmountIn, '-50.25', -5_025],
    [percentageIn, '1.50', 15_000],
    [percentageIn, '0.0001', 1],
    [percentageIn, '100', 1_000_000],
    [businessDaysIn, '0', 0],
    [businessDaysIn, '366', 366],
    [channelIn, 'DEBIN', 'DEBIN'],
    [idIn, '42', 42],
    [reasonIn, ' the payer called ', 'the payer called'],
  ])('%o %s', (read, text, value) => {
    expect(read(text)).toBe(value);
  });

  test('a day in either order of its parts', () => {
    expect(dayIn('01-12-2026')).toEqual(dayIn('2026-12-01'));
  });
});

describe('rejects an invalid value and names the allowed ones:', () => {
  test.each([
    [amountIn, ['0', '-1', '1,5', '1.001', '100000000', 'x', ''], 'at least 0.01'],
    [amountOrZeroIn, ['-0.01'], 'at least 0'],
    [signedAmountIn, ['0', '-0.00'], 'other than 0'],
    [signedAmountIn, ['-10000000000000'], '13 digits'],
    [payoutAmountIn, ['0', '-1', '10000000000000'], '13 digits'],
    [percentageIn, ['-1', '100.0001', '1.00001', '1,5', '.5', ''], 'from 0 to 100'],
    [businessDaysIn, ['-1', '367', '1.5', ''], '0 to 366'],
    [channelIn, ['cash', 'debin', ''], 'non_banking'],
    [dayIn, ['31-02-2026', '001-1-2026', ''], 'dd-mm-yyyy'],
    [idIn, ['-1', '1e3', '1234567890123456', ''], 'number'],
    [reasonIn, ['', ' ', 'a\nb', 'x'.repeat(256)], '1 to 255 characters'],
    [referenceIn, ['', 'x'.repeat(65)], '1 to 64 characters'],
  ] as const)('%o %o', (read, texts, allowed) => {
    for (const text of texts) {
      expect(() => read(text)).toThrow(InvalidArgumentError);
      expect(() => read(text)).toThrow(allowed);
    }
  });
});
