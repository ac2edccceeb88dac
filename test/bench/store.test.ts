import { expect, test } from 'vitest';
import { inputOf, newRow } from '../../bench/harness/rows.ts';
import { copyTexts, lacking } from '../../bench/harness/store.ts';

test('finds an acknowledged id that is missing from at least one table', () => {
  expect(lacking([1, 2, 3], [3, 2, 1], [1, 2, 3])).toEqual([]);
  expect(lacking([1, 2, 3], [1, 2], [1, 2, 3])).toEqual([3]);
  expect(lacking([1, 2, 3], [1, 2, 3], [2, 3])).toEqual([1]);
});

test('escapes line breaks, tabs and backslashes for COPY, and writes null as \\N', () => {
  const now = Temporal.Instant.from('2026-12-01T12:00:00Z');
  const today = Temporal.PlainDate.from('2026-12-01');
  const input = { ...inputOf('r', today), description: 'a\nb\tc\\d', external_reference: null };
  const { requests, events } = copyTexts([newRow('BE5C0001', 7, now, input)], 9, 'bench');
  const cells = requests[0]?.split('\t') ?? [];
  expect(cells).toHaveLength(17);
  expect(cells[1]).toBe('7');
  expect(cells[6]).toBe('\\N');
  expect(cells[8]).toBe('a\\nb\\tc\\\\d');
  expect(cells.at(-1)?.endsWith('\n')).toBe(true);
  expect(events[0]).toContain('\t7\t1\t9\tpayment_request.created\t');
});
