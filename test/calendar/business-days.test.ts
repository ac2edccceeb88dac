import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closedDaysOf, createCalendar } from '../../src/calendar/index.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const calendar = createCalendar([]);
const next = (text: string, n: number) => calendar.nextBusinessDay(day(text), n).toString();
const days = fc
  .integer({ min: 0, max: 365 * 10 })
  .map((n) => new Temporal.PlainDate(2023, 1, 1).add({ days: n }));

test.each([
  ['2025-10-10', 'a holiday moved by decree'],
  ['2024-04-01', 'a bridge holiday'],
  ['2026-07-10', 'a tourist day'],
  ['2026-04-02', 'Maundy Thursday'],
  ['2026-11-06', 'the bank workers day'],
  ['2025-12-24', 'bank leave'],
  ['2027-06-21', 'a movable holiday of 2027'],
  ['2026-11-21', 'a Saturday'],
  ['2026-11-22', 'a Sunday'],
  ['2028-11-06', 'the bank workers day of a year without a list'],
])('treats %s as closed: %s', (text) => {
  expect(calendar.isBusinessDay(day(text))).toBe(false);
});

test.each(['2025-10-13', '2026-12-24', '2026-11-20', '2026-06-17', '2026-11-24'])(
  'treats %s as a business day',
  (text) => {
    expect(calendar.isBusinessDay(day(text))).toBe(true);
  },
);

test('treats zero days as the first business day on or after the date', () => {
  expect(next('2026-11-20', 0)).toBe('2026-11-20');
  expect(next('2026-11-21', 0)).toBe('2026-11-24'); // weekend and the holiday of Monday 23
});

test('counts days strictly after the date', () => {
  expect(next('2026-11-20', 1)).toBe('2026-11-24');
  expect(next('2026-11-21', 1)).toBe('2026-11-24');
  expect(next('2026-11-21', 2)).toBe('2026-11-25');
  expect(next('2026-12-30', 3)).toBe('2027-01-05');
});

test('counts exactly n business days after the date, up to and including the nth', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 60 }), (start, n) => {
      const reached = calendar.nextBusinessDay(start, n);
      let counted = 0;
      let at = start;
      while (Temporal.PlainDate.compare(at, reached) < 0) {
        at = at.add({ days: 1 });
        if (calendar.isBusinessDay(at)) counted += 1;
      }
      expect(counted).toBe(n);
      expect(calendar.isBusinessDay(reached)).toBe(true);
    }),
  );
});

test('throws RangeError for a negative or fractional number of days', () => {
  for (const n of [-1, 1.5, Number.NaN]) {
    expect(() => calendar.nextBusinessDay(day('2026-11-21'), n)).toThrow(RangeError);
  }
});

test('counts earlier days strictly before the date, and throws RangeError for an invalid number', () => {
  const before = (text: string, n: number) => calendar.businessDayBefore(day(text), n).toString();
  expect(before('2026-11-24', 1)).toBe('2026-11-20');
  expect(before('2026-11-23', 1)).toBe('2026-11-20');
  expect(before('2026-11-25', 2)).toBe('2026-11-20');
  expect(before('2027-01-05', 3)).toBe('2026-12-30');
  for (const n of [0, -1, 1.5, Number.NaN]) {
    expect(() => calendar.businessDayBefore(day('2026-11-21'), n)).toThrow(RangeError);
  }
});

test('returns to the same business day after n days back and n forward, in either order', () => {
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 40 }), (start, n) => {
      const from = calendar.nextBusinessDay(start, 0);
      const back = calendar.businessDayBefore(from, n);
      expect(calendar.isBusinessDay(back)).toBe(true);
      expect(calendar.nextBusinessDay(back, n).toString()).toBe(from.toString());
      expect(calendar.businessDayBefore(calendar.nextBusinessDay(from, n), n).equals(from)).toBe(
        true,
      );
    }),
  );
});

test('gives the same results when called again, and from a new calendar', () => {
  const asked = Array.from({ length: 6_000 }, (_none, no) => ({
    from: day('2026-01-01').add({ days: no % 400 }),
    n: no % 19,
  }));
  const answers = () => asked.map(({ from, n }) => calendar.nextBusinessDay(from, n).toString());
  expect(answers()).toEqual(answers());
  const fresh = asked.map(({ from, n }) => createCalendar([]).nextBusinessDay(from, n).toString());
  expect(answers()).toEqual(fresh);
});

test('lets an operator close one day and open another, even a weekend', () => {
  const changed = createCalendar([
    { day: day('2026-11-24'), kind: 'holiday' },
    { day: day('2026-11-23'), kind: 'open' },
    { day: day('2026-11-28'), kind: 'open' },
  ]);
  const open = ['2026-11-23', '2026-11-24', '2026-11-28'].map((text) =>
    changed.isBusinessDay(day(text)),
  );
  expect(open).toEqual([true, false, true]);
  expect(changed.nextBusinessDay(day('2026-11-21'), 2).toString()).toBe('2026-11-25');
});

test('lists a year’s closed days in order, each once', () => {
  for (const year of [2024, 2025, 2026, 2027, 2028]) {
    const listed = closedDaysOf(year).map((closed) => closed.day.toString());
    expect(listed).toEqual([...new Set(listed)].sort());
    expect(listed.every((text) => text.startsWith(`${year}-`))).toBe(true);
  }
});
