import fc from 'fast-check';
import { expect, test } from 'vitest';
import { movingRow } from '../../src/imports/moving/row.ts';
import { formatDay } from '../../src/kernel/dates.ts';
import { centavos } from '../../src/kernel/money.ts';

const today = Temporal.PlainDate.from('2026-11-27');
const rowOf = (value: unknown) => movingRow({ file: 'f.json', row: 1, value }, today);

test('reads any JSON without an error, and moves only rows with an id', () => {
  const kinds = fc.record(
    {
      id: fc.jsonValue(),
      type: fc.constantFrom('payment_request', 'debit_request', 'other'),
      state: fc.constantFrom('pending', 'signed', 'paid'),
      status: fc.constantFrom('Pending', 'Paid'),
      payer_name: fc.jsonValue(),
      cbu_number: fc.jsonValue(),
      metadata: fc.jsonValue(),
      first_due_date: fc.jsonValue(),
      second_due_date: fc.jsonValue(),
      first_total: fc.jsonValue(),
      adhesion: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), kinds), (value) => {
      const row = rowOf(value);
      if (row.kind === 'unknown') expect(row.open || row.faults.length === 0).toBe(false);
      if (row.open && row.faults.length === 0) expect(row.oldId).toMatch(/^[!-~]{1,64}$/);
    }),
  );
});

test('reads a due day in Argentine time, whatever the offset of its moment', () => {
  const offsets = fc.constantFrom('-03:00', 'Z', '+02:00', '-11:00');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_000 }), offsets, (days, offset) => {
      const day = today.add({ days });
      const midnight = Temporal.Instant.from(`${day}T00:00:00-03:00`);
      const zone = offset === 'Z' ? 'UTC' : offset;
      const text = midnight.toString({ timeZone: zone });
      const { body } = rowOf({ id: 1, type: 'payment_request', first_due_date: text });
      expect(body.first_due_date).toBe(formatDay(day));
    }),
  );
});

test('requests the second total between the two due days, and the first total otherwise', () => {
  const due = (first: string, second: string | null) =>
    rowOf({
      ...{ id: 1, type: 'payment_request', state: 'pending' },
      ...{ first_due_date: first, first_total: 100 },
      ...{ second_due_date: second, second_total: second === null ? null : '120.50' },
    }).amount;
  expect(due('2026-11-27T00:00:00-03:00', '2026-12-01T00:00:00-03:00')).toBe(centavos(10_000));
  expect(due('2026-11-26T00:00:00-03:00', '2026-11-27T00:00:00-03:00')).toBe(centavos(12_050));
  expect(due('2026-11-20T00:00:00-03:00', '2026-11-26T00:00:00-03:00')).toBe(centavos(10_000));
  expect(due('20-11-2026', null)).toBe(centavos(10_000));
});
