import fc from 'fast-check';
import { expect, test } from 'vitest';
import { annualCostPpm } from '../../src/kernel/annual-cost.ts';
import { centavos } from '../../src/kernel/money.ts';

test.each([
  // One payment a month later at 5 %: 1.05^12 − 1.
  [100_000, 1, 105_000, 795_900],
  // 12 payments of 1,000 at 2 % a month are worth 10,575.34: 1.02^12 − 1.
  [1_057_534, 12, 1_200_000, 268_200],
  [100_000, 3, 100_000, 0],
  [100_000, 6, 90_000, 0],
])('returns the annual cost of %d centavos in %d installments that total %d', (...figures) => {
  const [cash, installments, total, ppm] = figures;
  expect(annualCostPpm(centavos(cash), { installments, total: centavos(total) })).toBe(ppm);
});

test('discounts the installments to the cash price at the rate that it returns', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10_000, max: 1_000_000_000 }),
      fc.integer({ min: 1, max: 24 }),
      fc.double({ min: 1.001, max: 3, noNaN: true }),
      (cash, installments, coefficient) => {
        const total = Math.round(cash * coefficient);
        const ppm = annualCostPpm(centavos(cash), { installments, total: centavos(total) });
        const monthly = (1 + ppm / 1e6) ** (1 / 12);
        const months = Array.from({ length: installments }, (_, month) => month + 1);
        const worth = months.reduce(
          (sum, month) => sum + total / installments / monthly ** month,
          0,
        );
        expect(Math.abs(worth / cash - 1)).toBeLessThan(1e-3);
      },
    ),
  );
});
