import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rulingsOf } from '../../src/kernel/hindsight.ts';

const moment = (no: number) => Temporal.Instant.fromEpochMilliseconds(no * 1_000);
const some = fc.option(fc.integer({ min: 0, max: 8 }), { nil: null });

test('returns exactly one ruling for every moment, based on what was known then', () => {
  const row = fc.record({ since: some, until: some, name: fc.nat({ max: 99 }) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), fc.integer({ min: 0, max: 8 }), (rows, from) => {
      const known = rows.map(({ since, until, name }) => ({
        name,
        since: since === null ? null : moment(since),
        until: until === null ? null : moment(until),
      }));
      const names = (all: { name: number }[]) => all.map(({ name }) => name).join();
      const rulings = rulingsOf(known, moment(from), names);
      for (let now = from; now <= 9; now += 1) {
        const holding = rulings.filter(
          ({ since, until }) =>
            (since === null || Temporal.Instant.compare(since, moment(now)) <= 0) &&
            (until === null || Temporal.Instant.compare(moment(now), until) < 0),
        );
        const expected = rows.filter(
          ({ since, until }) => (since ?? -1) <= now && now < (until ?? 99),
        );
        expect(holding.map(({ ruling }) => ruling)).toEqual([names(expected)]);
      }
    }),
  );
});

test('leaves out rulings that ended before the start', () => {
  const rows = [{ since: moment(1), until: moment(2) }];
  expect(rulingsOf(rows, moment(2), (known) => known.length)).toEqual([
    { since: moment(2), until: null, ruling: 0 },
  ]);
});
