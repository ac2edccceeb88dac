import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure, median, percentile, ratioOf } from '../../bench/numbers.ts';

const numbers = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1 });

test('returns the middle value as the median, or the mean of the two middle values', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(() => median([])).toThrow(RangeError);
});

test('has at most half of the values below the median, and at most half above it', () => {
  fc.assert(
    fc.property(numbers, (values) => {
      const middle = median(values);
      const below = values.filter((value) => value < middle).length;
      const above = values.filter((value) => value > middle).length;
      expect(below).toBeLessThanOrEqual(values.length / 2);
      expect(above).toBeLessThanOrEqual(values.length / 2);
    }),
  );
});

test('returns a measured value as a percentile, with at least that share of values at or below it', () => {
  const hundred = Array.from({ length: 100 }, (_unused, index) => 100 - index);
  expect(percentile(hundred, 50)).toBe(50);
  expect(percentile(hundred, 99)).toBe(99);
  expect(percentile(hundred, 100)).toBe(100);
  expect(percentile([7], 99)).toBe(7);
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 100 }), (values, percent) => {
      const value = percentile(values, percent);
      expect(values).toContain(value);
      const within = values.filter((one) => one <= value).length;
      expect(within / values.length).toBeGreaterThanOrEqual(percent / 100);
    }),
  );
});

test('summarizes a figure by its median, minimum and maximum over the rounds', () => {
  expect(figure([10, 30, 20], 'req/s')).toEqual({ value: 20, min: 10, max: 30, unit: 'req/s' });
});

test('computes a ratio from the medians, and its spread from rounds with equal indices', () => {
  // The medians come from different rounds; the spread never mixes rounds.
  expect(ratioOf([10, 20, 60], [10, 40, 20])).toEqual({ value: 1, min: 0.5, max: 3, unit: 'x' });
});
