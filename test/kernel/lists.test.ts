import { expect, test } from 'vitest';
import { inOrderOf, itemAt, partsOf } from '../../src/kernel/lists.ts';

test('returns rows in the order of their keys, and null for a missing row', () => {
  const rows = [
    { no: 3, name: 'c' },
    { no: 1, name: 'a' },
  ];
  expect(inOrderOf(['a', 'b', 'c'], rows)).toEqual([rows[1], null, rows[0]]);
  expect(inOrderOf([], rows)).toEqual([]);
});

test('throws for a missing item instead of returning undefined', () => {
  expect(itemAt([0, ''], 1)).toBe('');
  expect(() => itemAt([1], 1)).toThrow(RangeError);
  expect(() => itemAt([], 0)).toThrow(RangeError);
});

test('splits a list into parts that have each item once and in order', () => {
  expect(partsOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(partsOf([1, 2], 2)).toEqual([[1, 2]]);
  expect(partsOf([], 2)).toEqual([]);
});
