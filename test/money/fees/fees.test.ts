import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { centavos } from '../../../src/kernel/money.ts';
import { feeOn, readFeeBooks, standardTerms } from '../../../src/money/fees/fees.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const terms = (percentagePpm: number, fixed = 0, minimum = 0) => ({
  percentagePpm,
  fixed: centavos(fixed),
  minimum: centavos(minimum),
  availableAfterDays: 1,
});

describe('fees', () => {
  test('charges 125.20 plus 26.29 VAT on 2503.95 at 5 %, and leaves 2352.46', () => {
    const fee = feeOn(centavos(250_395), terms(50_000));
    expect(fee).toEqual({ net: 12_520, iva: 2_629 });
    expect(fee.net + fee.iva).toBe(15_149);
    expect(250_395 - fee.net - fee.iva).toBe(235_246);
  });

  test.each([
    { amount: 100_000, terms: terms(10_000, 1_500), net: 2_500, iva: 525, why: 'a fixed part' },
    {
      amount: 100_000,
      terms: terms(10_000, 0, 5_000),
      net: 5_000,
      iva: 1_050,
      why: 'a minimum above the percentage',
    },
    {
      amount: 100_000,
      terms: terms(60_000, 0, 5_000),
      net: 6_000,
      iva: 1_260,
      why: 'a minimum below the percentage',
    },
    {
      amount: 100_000,
      terms: terms(10_000, 500, 2_000),
      net: 2_000,
      iva: 420,
      why: 'a minimum above the sum of both parts',
    },
    {
      amount: 100_000,
      terms: terms(10_000, 1_500, 2_000),
      net: 2_500,
      iva: 525,
      why: 'a minimum below the sum of both parts',
    },
    {
      amount: 100_000,
      terms: terms(0, 1_500, 1_500),
      net: 1_500,
      iva: 315,
      why: 'a minimum equal to the fixed part',
    },
    { amount: 100, terms: terms(0), net: 0, iva: 0, why: 'no parts' },
    { amount: 1, terms: terms(500_000), net: 1, iva: 0, why: 'half a centavo rounded up' },
    { amount: 10, terms: terms(0, 50), net: 50, iva: 11, why: 'a VAT of 10.5 centavos rounded up' },
  ])('charges $net and $iva on $amount with $why', ({ amount, terms: own, net, iva }) => {
    expect(feeOn(centavos(amount), own)).toEqual({ net, iva });
  });

  test('computes fees within half a centavo of the exact value, for any amount and percentage', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999_999_999 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (amount, ppm) => {
          const { net, iva } = feeOn(centavos(amount), terms(ppm));
          const twice = 2n * BigInt(amount) * BigInt(ppm) - 2_000_000n * BigInt(net);
          expect(twice >= -1_000_000n && twice < 1_000_000n).toBe(true);
          const vatTwice = 2n * 21n * BigInt(net) - 200n * BigInt(iva);
          expect(vatTwice >= -100n && vatTwice < 100n).toBe(true);
        },
      ),
    );
  });
});

describe('an account’s fee book', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ max: 2 });
    await database.sql`
      insert into fees (account_id, channel, valid_from, percentage_ppm, fixed, minimum,
        available_after_days)
      values ('AAAAAAAA', 'qr', '2026-03-01', 6000, 0, 0, 1),
        ('AAAAAAAA', 'qr', '2026-05-01', 7000, 100, 200, 3),
        ('BBBBBBBB', 'qr', '2020-01-01', 1, 0, 0, 0)`;
  });
  afterAll(() => database.drop());

  test.each([
    { on: '2026-02-28', expected: standardTerms.qr },
    { on: '2026-03-01', expected: { ...terms(6_000), availableAfterDays: 1 } },
    { on: '2026-04-30', expected: { ...terms(6_000), availableAfterDays: 1 } },
    { on: '2026-05-01', expected: { ...terms(7_000, 100, 200), availableAfterDays: 3 } },
    { on: '2030-01-01', expected: { ...terms(7_000, 100, 200), availableAfterDays: 3 } },
  ])('returns the latest row valid on $on, or the standard terms', async ({ on, expected }) => {
    const books = await readFeeBooks(database.sql, ['AAAAAAAA', 'BBBBBBBB']);
    expect(books.get('AAAAAAAA')?.('qr', day(on))).toEqual(expected);
  });

  test('ignores other channels and other accounts', async () => {
    const books = await readFeeBooks(database.sql, ['AAAAAAAA', 'CCCCCCCC']);
    expect(books.get('AAAAAAAA')?.('DEBIN', day('2026-06-01'))).toEqual(standardTerms.DEBIN);
    expect(books.get('CCCCCCCC')?.('qr', day('2026-06-01'))).toEqual(standardTerms.qr);
  });
});
