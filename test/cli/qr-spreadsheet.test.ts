import fc from 'fast-check';
import { expect, test } from 'vitest';
import { itemOfRow } from '../../src/cli/qr/spreadsheet.ts';
import { formatDay } from '../../src/kernel/dates.ts';
import { centavos, decimalText, formatPesos, parseAmount } from '../../src/kernel/money.ts';

const amounts = fc.integer({ min: 1, max: 9_999_999_999 }).map(centavos);

test('an amount means the same with point or comma, with or without thousands', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      const argentine = formatPesos(amount).replace('$ ', '');
      for (const text of [decimalText(amount), argentine, argentine.replaceAll('.', '')]) {
        const { first_total } = itemOfRow({ first_total: text });
        expect(parseAmount(first_total)).toEqual({ ok: true, value: amount });
      }
    }),
  );
});

test('a day means the same with slashes or dashes, with or without zeros', () => {
  const days = fc
    .record({
      year: fc.integer({ min: 2000, max: 2099 }),
      ofYear: fc.integer({ min: 0, max: 364 }),
    })
    .map(({ year, ofYear }) => new Temporal.PlainDate(year, 1, 1).add({ days: ofYear }));
  fc.assert(
    fc.property(days, (day) => {
      const spellings = [
        formatDay(day),
        formatDay(day).replaceAll('-', '/'),
        `${day.day}/${day.month}/${day.year}`,
      ];
      for (const text of spellings) {
        expect(itemOfRow({ first_due_date: text }).first_due_date).toBe(formatDay(day));
      }
    }),
  );
});

test('what is none of these is left for the service to refuse, and texts are left alone', () => {
  const row = {
    first_total: '1.43',
    second_total: '12,345',
    first_due_date: '2026-12-05',
    multiple_payment: 'quizás',
    description: '5/12/2026 por 1.430,50: sí',
  };
  expect(itemOfRow(row)).toEqual(row);
});
