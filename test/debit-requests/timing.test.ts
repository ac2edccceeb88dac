import { expect, test } from 'vitest';
import { createCalendar } from '../../src/calendar/index.ts';
import { firstOpenPeriod, isOpen } from '../../src/debit-requests/timing.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const terms = { bankLead: 3, handover: 2, cardCutDay: 19 };

test.each([
  ['2026-11-18', true],
  ['2026-11-19', true],
  ['2026-11-20', false],
])('treats the November period with cut-off on the 19th as open on %s: %s', (on, open) => {
  expect(isOpen({ month: 11, year: 2026 }, day(on), terms)).toBe(open);
  expect(firstOpenPeriod(day(on), terms)).toEqual({ month: open ? 11 : 12, year: 2026 });
});

test('moves the cut-off to a short month’s last day', () => {
  const late = { ...terms, cardCutDay: 31 };
  expect(isOpen({ month: 2, year: 2027 }, day('2027-02-28'), late)).toBe(true);
  expect(isOpen({ month: 2, year: 2027 }, day('2027-03-01'), late)).toBe(false);
  expect(createCalendar([]).nextBusinessDay(day('2027-02-28'), 1).toString()).toBe('2027-03-01');
});
