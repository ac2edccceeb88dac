import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell, csvLine, unguarded } from '../../src/kernel/csv.ts';

const borders = [',', ';', '|', '\t', '\n', '\r', '"'];
const formulas = ['=1', '+1', '-A1', '@SUM(A1)', '\uFF1D1'];

test('never lets a cell start a formula, whatever separator a spreadsheet uses', () => {
  const pieces = fc.constantFrom(...borders, ...formulas, ' ', 'Ana', '1', "'");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      for (const border of borders) {
        // Cuts the cell like a spreadsheet that uses this separator and ignores quotes.
        for (const cell of csvCell(text).split(border)) {
          expect(cell).not.toMatch(/^\s*[=+\-@\uFF1D]/);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});

test('escapes a formula after a separator, a leading line feed or tab, and no plain text or amount', () => {
  expect(csvCell(';=1')).toBe(`";'=1"`);
  expect(csvCell('\n=1')).toBe(`"'\n'=1"`);
  expect(csvCell('\tx')).toBe(`"'\tx"`);
  for (const text of ['Cuota 12', '12.50', 'a@b.com', 'Núñez - hijo', '', 'x=1']) {
    expect(csvCell(text)).toBe(text);
  }
  expect(csvCell(-3)).toBe('-3');
});

test('reads a line without formulas back unchanged', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab ",;\r\n|ñ') });
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (cells) => {
      fc.pre(!cells.some((cell) => /^[\t\r\n]/.test(cell)));
      expect(parse(csvLine(cells), { relax_column_count: true, record_delimiter: '\r\n' })).toEqual(
        [cells],
      );
    }),
  );
});

test('recovers each text from its escaped form, apostrophes included', () => {
  const pieces = fc.constantFrom(...borders, ...formulas, ' ', 'Ana', '1', "'", "''");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 10 }), (parts) => {
      const text = parts.join('');
      const [[cell = ''] = []] = parse(`${csvCell(text)},x\r\n`, { record_delimiter: '\r\n' });
      expect(unguarded(cell)).toBe(text);
    }),
    { numRuns: 5_000 },
  );
});
