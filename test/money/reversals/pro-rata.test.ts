import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centavos } from '../../../src/kernel/money.ts';
import { proportion, returnedBetween } from '../../../src/money/reversals/pro-rata.ts';

const amounts = fc.integer({ min: 0, max: 9_999_999_999 }).map(centavos);
/** Parts that add up to a whole. */
const cuts = fc
  .array(fc.integer({ min: 1, max: 500_000_000 }), { minLength: 1, maxLength: 12 })
  .map((parts) => ({ parts, whole: parts.reduce((sum, part) => sum + part, 0) }));

test('returns exactly the whole across any number of parts in any order', () => {
  fc.assert(
    fc.property(amounts, cuts, (amount, { parts, whole }) => {
      let before = 0;
      let returned = 0;
      for (const part of parts) {
        returned += returnedBetween(amount, { before, after: before + part, whole });
        before += part;
      }
      expect(returned).toBe(amount);
    }),
  );
});

test('never returns a negative part or more than the whole', () => {
  fc.assert(
    fc.property(amounts, cuts, (amount, { parts, whole }) => {
      let before = 0;
      let returned = 0;
      for (const part of parts) {
        const back = returnedBetween(amount, { before, after: before + part, whole });
        expect(back).toBeGreaterThanOrEqual(0);
        returned += back;
        expect(returned).toBeLessThanOrEqual(amount);
        before += part;
      }
    }),
  );
});

test('computes exact proportions, and rounds halves up', () => {
  expect(proportion(centavos(9_999_999_999), 9_999_999_998, 9_999_999_999)).toBe(9_999_999_998);
  expect(proportion(centavos(1), 1, 2)).toBe(1);
  expect(proportion(centavos(1), 1, 3)).toBe(0);
  expect(proportion(centavos(100), 1, 3)).toBe(33);
  expect(proportion(centavos(100), 2, 3)).toBe(67);
});
