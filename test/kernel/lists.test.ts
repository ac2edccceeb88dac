import { expect, test } from 'vitest';
import { inOrderOf, itemAt, partsOf } from '../../src/kernel/lists.ts';

test('rows follow the order of their keys, and a missing row is null', () => {
  const rows = [
    { no: 3, name: 'c' },
    { no: 1, name: 'a' },
  ];
  expect(inOrderOf(['a', 'b', 'c'], rows)).toEqual([rows[1], null, rows[0]]);
  expect(inOrderOf([], rows)).toEqual([]);
});

test('a missing item is an error, never undefined', () => {
  expect(itemAt([0, ''], 1)).toBe('');
  expect(() => itemAt([1], 1)).toThrow(RangeError);
  expect(() => itemAt([], 0)).toThrow(RangeError);
});

test('a list in parts is the whole list, each item once and in order', () => {
  expect(partsOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(partsOf([1, 2], 2)).toEqual([[1, 2]]);
  expect(partsOf([], 2)).toEqual([]);
});
