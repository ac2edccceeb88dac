import Holidays from 'date-holidays';
import { expect, test } from 'vitest';
import { closedDaysOf } from '../../src/calendar/index.ts';

/**
 * Returns the library's national days, without the eves of Christmas and New Year, which are not
 * days off by law.
 */
function libraryDays(year: number): string[] {
  const days = new Holidays('AR').getHolidays(year).map(({ date }) => date.slice(0, 10));
  return days.filter((day) => !day.endsWith('-12-24') && !day.endsWith('-12-31'));
}

function ourNationalDays(year: number): string[] {
  const days = closedDaysOf(year).filter(({ kind }) => kind !== 'bank');
  return days.map(({ day }) => day.toString());
}

test.each([2024, 2026, 2027, 2028, 2029, 2030])('matches date-holidays for %i', (year) => {
  expect(ourNationalDays(year)).toEqual([...new Set(libraryDays(year))].sort());
});

test('differs from date-holidays in 2025 only in the holiday moved to Friday 10 October', () => {
  const moved = libraryDays(2025).map((day) => (day === '2025-10-12' ? '2025-10-10' : day));
  expect(ourNationalDays(2025)).toEqual([...new Set(moved)].sort());
});
