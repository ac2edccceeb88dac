import { expect, test } from 'vitest';
import { hearing } from '../../../src/money/charges/schedule.ts';

const start = Temporal.Instant.from('2026-11-21T12:00:00Z');
const after = (seconds: number) => start.add({ seconds });

test.each([
  [119, null, 'too early'],
  [120, null, 'first'],
  [599, 120, 'first'],
  [600, 120, 'last'],
  [900, null, 'first'],
  // Two inquiries at almost the same time are one answer.
  [900.005, 900, 'first'],
  [959, 900, 'first'],
  [960, 900, 'last'],
])('judges “no such charge” at %d s, after an earlier one at %s, as %s', (now, before, which) => {
  const ms = (seconds: number) => start.add({ milliseconds: Math.round(seconds * 1000) });
  const unheard_at = before === null ? null : after(before);
  expect(hearing({ started_at: start, unheard_at }, ms(now))).toBe(which);
});
