import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDay } from '../../../src/kernel/dates.ts';
import { centavos, decimalText, formatPesos, parseAmount } from '../../../src/kernel/money.ts';
import { amountOf, dayTextOf, isCellError } from '../../../src/platform/spreadsheets/cells.ts';

const amounts = fc.integer({ min: 1, max: 9_999_999_999 }).map(centavos);

test('reads an amount with decimal point or comma, with or without thousands separators', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      const argentine = formatPesos(amount).replace('$ ', '');
      for (const text of [decimalText(amount), argentine, argentine.replaceAll('.', '')]) {
        expect(parseAmount(amountOf(text))).toEqual({ ok: true, value: amount });
      }
    }),
  );
});

test('reads a day with slashes or dashes, with or without zeros', () => {
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
        expect(dayTextOf(text)).toBe(formatDay(day));
      }
    }),
  );
});

test('reads a spreadsheet number as the displayed amount or day', () => {
  expect([amountOf(1430.5), amountOf(0.1 + 0.2), amountOf(1_000_000)]).toEqual([
    '1430.5',
    '0.3',
    '1000000',
  ]);
  expect([dayTextOf(46_361), dayTextOf('46361'), dayTextOf('2026-12-05T00:00:00.000Z')]).toEqual([
    '05-12-2026',
    '05-12-2026',
    '05-12-2026',
  ]);
});

test('reads points, commas and spaces as thousands separators where the digits allow it', () => {
  const texts = ['1.430', '1.234.567', '$ 1.430,5', '1,430.50', 'ARS 12.000', '1.430,50 $'];
  expect(texts.map(amountOf)).toEqual(['1430', '1234567', '1430.5', '1430.50', '12000', '1430.50']);
  const spaced = ['1 430', '1 234 567,89', '$ 1\u00a0430.50', ' 20 '];
  expect(spaced.map(amountOf)).toEqual(['1430', '1234567.89', '1430.50', '20']);
});

test('leaves other cells unchanged, for the service to refuse', () => {
  for (const text of ['1.43', '12,345', '1.43,0', '1,2,3', 'doce'])
    expect(amountOf(text)).toBe(text);
  // Half a peso with three decimals must not become 500, nor two numbers one.
  for (const text of ['0.500', '0.430,50', '0,430.50', '0 500', '12 34', '1 2345', '1500 1500'])
    expect(amountOf(text)).toBe(text);
  for (const text of ['2026/13', '31', 'mañana', '1/2']) expect(dayTextOf(text)).toBe(text);
});

test.each(['#N/A', '#N/D', '#¡REF!', '#DIV/0!', '#¿NOMBRE?', '#VALUE!'])(
  'recognizes %s as a cell’s error value',
  (text) => {
    expect(isCellError(text)).toBe(true);
  },
);
