import { expect, test } from 'vitest';
import { publishedYears } from '../../src/calendar/days.ts';
import { closedByLaw, easterOf } from '../../src/calendar/rules.ts';

test.each([
  '1818-03-22',
  '1943-04-25',
  '1954-04-18',
  '1981-04-19',
  '2000-04-23',
  '2024-03-31',
  '2025-04-20',
  '2026-04-05',
  '2027-03-28',
  '2038-04-25',
])('places Easter on %s', (day) => {
  expect(easterOf(Number(day.slice(0, 4))).toString()).toBe(day);
});

test('places Easter on a Sunday from 22 March to 25 April in every year', () => {
  for (let year = 1900; year < 2200; year += 1) {
    const easter = easterOf(year);
    expect(easter.dayOfWeek).toBe(7);
    expect(easter.toString().slice(5) >= '03-22' && easter.toString().slice(5) <= '04-25').toBe(
      true,
    );
  }
});

test('derives the published holidays from the law, except for one decreed move', () => {
  for (const year of [2024, 2026, 2027]) {
    expect(closedByLaw(year).holiday).toEqual(publishedYears[year]?.holiday.toSorted());
  }
  const moved = closedByLaw(2025).holiday.map((day) => (day === '10-12' ? '10-10' : day));
  expect(moved).toEqual(publishedYears[2025]?.holiday.toSorted());
});

test('moves a movable holiday to the nearest Monday only if it falls from Tuesday to Friday', () => {
  // 17 August by year: 2028 Thursday, 2032 Tuesday, 2033 Wednesday, 2029 Friday, 2030 Saturday.
  const august = (year: number) => closedByLaw(year).holiday.filter((day) => day.startsWith('08'));
  expect([2028, 2032, 2033, 2029, 2030, 2031].map((year) => august(year)[0])).toEqual([
    '08-21',
    '08-16',
    '08-15',
    '08-20',
    '08-17',
    '08-17',
  ]);
});

test('closes banks on Maundy Thursday and the bank workers’ day of a year without a list', () => {
  expect(closedByLaw(2028)['no-laborable']).toEqual(['04-13']);
  expect(closedByLaw(2028).bank).toEqual(['11-06']);
});
