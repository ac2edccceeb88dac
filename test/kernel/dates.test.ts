import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareDays,
  dayOf,
  daysBetween,
  formatDay,
  isoDateTime,
  isoDay,
  isoMidnight,
  midnightOf,
  parseDay,
  parseDayOrIso,
} from '../../src/kernel/dates.ts';

const days = fc
  .integer({ min: 0, max: 3_650_000 })
  .map((n) => new Temporal.PlainDate(1, 1, 1).add({ days: n }));
const instants = fc
  .integer({ min: -62_000_000_000_000, max: 253_000_000_000_000 })
  .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms));

test('reads a day as dd-mm-yyyy', () => {
  expect(parseDay('05-12-2026')?.toString()).toBe('2026-12-05');
  expect(parseDay('29-02-2028')?.toString()).toBe('2028-02-29');
  expect(parseDay('29-02-2000')?.toString()).toBe('2000-02-29');
  expect(parseDay('5-4-2027')?.toString()).toBe('2027-04-05');
});

test.each([
  '29-02-2026',
  '29-02-1900',
  '31-04-2026',
  '00-01-2026',
  '01-00-2026',
  '01-13-2026',
  '01-01-0000',
  '001-1-2026',
  '05/12/2026',
  '05-12-26',
  ' 05-12-2026',
  '05-12-2026\n',
  '٠٥-12-2026',
  '2026-12-05',
  '',
])('refuses %j as a dd-mm-yyyy day', (text) => {
  expect(parseDay(text)).toBeNull();
});

test('accepts both formats of a day in reports, and no other', () => {
  expect(parseDayOrIso('2026-12-05')?.toString()).toBe('2026-12-05');
  expect(parseDayOrIso('05-12-2026')?.toString()).toBe('2026-12-05');
  for (const bad of ['2026-02-30', '20261205', '2026-12-05T00:00', '0000-01-01', '12-2026-05']) {
    expect(parseDayOrIso(bad)).toBeNull();
  }
});

test('reads every written day back, in both formats', () => {
  fc.assert(
    fc.property(days, (day) => {
      expect(parseDay(formatDay(day))?.equals(day)).toBe(true);
      expect(parseDayOrIso(day.toString())?.equals(day)).toBe(true);
    }),
  );
});

test('starts the Argentine day three hours after the UTC day', () => {
  expect(dayOf(Temporal.Instant.from('2026-11-22T02:59:59.999Z')).toString()).toBe('2026-11-21');
  expect(dayOf(Temporal.Instant.from('2026-11-22T03:00:00Z')).toString()).toBe('2026-11-22');
});

test('writes a moment with seconds and the Argentine offset', () => {
  const moment = Temporal.Instant.from('2026-11-21T12:49:28.999Z');
  expect(isoDateTime(moment)).toBe('2026-11-21T09:49:28-03:00');
  expect(isoMidnight(Temporal.PlainDate.from('2026-12-05'))).toBe('2026-12-05T00:00:00-03:00');
});

test('preserves the leap day that ends a cycle of 400 years', () => {
  const moment = Temporal.Instant.from('2000-02-29T15:00:00Z');
  expect(dayOf(moment).toString()).toBe('2000-02-29');
  expect(isoDateTime(moment)).toBe('2000-02-29T12:00:00-03:00');
});

test('agrees with Temporal on days and moments for any instant', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const zoned = instant.toZonedDateTimeISO('-03:00');
      expect(dayOf(instant).equals(zoned.toPlainDate())).toBe(true);
      expect(isoDateTime(instant)).toBe(
        zoned.toString({ smallestUnit: 'second', roundingMode: 'floor', timeZoneName: 'never' }),
      );
    }),
    { numRuns: 1000 },
  );
});

test('starts a day at its midnight', () => {
  fc.assert(
    fc.property(days, (day) => {
      const start = midnightOf(day);
      expect(isoDateTime(start)).toBe(isoMidnight(day));
      expect(dayOf(start).equals(day)).toBe(true);
      expect(dayOf(start.subtract({ milliseconds: 1 })).equals(day)).toBe(false);
    }),
  );
});

test('agrees with Temporal on the order, distance and format of two days', () => {
  fc.assert(
    fc.property(days, days, (a, b) => {
      expect(Math.sign(compareDays(a, b))).toBe(Temporal.PlainDate.compare(a, b));
      expect(daysBetween(a, b)).toBe(a.until(b, { largestUnit: 'day' }).days);
      expect(isoDay(a)).toBe(a.toString());
    }),
    { numRuns: 1000 },
  );
});

test('counts the days to an earlier day as negative', () => {
  const [a, b] = [Temporal.PlainDate.from('2026-02-27'), Temporal.PlainDate.from('2027-03-01')];
  expect([daysBetween(a, b), daysBetween(b, a), daysBetween(a, a)]).toEqual([367, -367, 0]);
});
