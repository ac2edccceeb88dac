import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amount,
  constant,
  day,
  digits,
  type Field,
  filler,
  fixedRecord,
  label,
  orZeros,
  scannedCode,
  text,
  timeOfDay,
  unread,
  wholeNumber,
  words,
} from '../../src/kernel/fixed-width.ts';
import { centavos } from '../../src/kernel/money.ts';

const anyDay = (from: number, to: number) =>
  fc
    .record({ year: fc.integer({ min: from, max: to }), ordinal: fc.integer({ min: 0, max: 364 }) })
    .map(({ year, ordinal }) => new Temporal.PlainDate(year, 1, 1).add({ days: ordinal }));

const digitsOf = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789'), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

const printable = (most: number) =>
  fc
    .array(fc.integer({ min: 32, max: 126 }), { maxLength: most })
    .map((codes) => String.fromCharCode(...codes).trimEnd());

const payment = fixedRecord(77, {
  type: constant('5'),
  client: digits(9),
  count: wholeNumber(4),
  total: amount(11),
  date: day('AAAAMMDD'),
  short: day('AAMMDD'),
  due: orZeros(day('AAAAMMDD')),
  second: orZeros(amount(10)),
  at: timeOfDay(),
  name: text(12),
  zeros: filler(2, '0'),
  rest: unread(2),
});
/** Unprintable characters do not survive in texts, and the rest of the line is not read. */
const compared = (line: string): string => line.slice(0, 75).replace(/[^ -~\u00a0-\uffff]/g, '?');

const values = fc.record({
  client: digitsOf(9),
  count: fc.integer({ min: 0, max: 9999 }),
  total: fc.integer({ min: 0, max: 99_999_999_999 }).map(centavos),
  date: anyDay(1, 9999),
  short: anyDay(2000, 2099),
  due: fc.option(anyDay(1, 9999)),
  second: fc.option(fc.integer({ min: 1, max: 9_999_999_999 }).map(centavos)),
  at: fc
    .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) })
    .map(({ hour, minute }) => new Temporal.PlainTime(hour, minute)),
  name: printable(12),
});

const seed = { seed: 20261121 };

test('reads written records back at the same length', () => {
  fc.assert(
    fc.property(values, (record) => {
      const line = payment.encode(record);
      expect(line).toHaveLength(77);
      const read = payment.decode(line);
      expect(JSON.stringify(read)).toBe(JSON.stringify({ ok: true, values: record }));
    }),
    seed,
  );
});

test('rewrites any line that it can read, except for skipped parts, or names the columns of its fault', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 90 }),
    fc
      .tuple(values, fc.nat(76), fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }))
      .map(([record, at, letter]) => {
        const whole = payment.encode(record);
        return whole.slice(0, at) + letter + whole.slice(at + 1);
      }),
  );
  fc.assert(
    fc.property(line, (one) => {
      const read = payment.decode(one);
      if (read.ok) {
        const { name, ...rest } = read.values;
        const plain = name.replace(/[^ -~]/g, '?');
        expect(payment.encode({ ...rest, name: plain }).slice(0, 75)).toBe(compared(one));
        return;
      }
      const { from, to, found, expected } = read.fault;
      expect(from).toBeLessThanOrEqual(to);
      expect(expected).not.toBe('');
      if (read.fault.field !== null) expect(found).toBe(one.slice(from - 1, to));
    }),
    seed,
  );
});

test('names field, columns, text found and text expected in a fault', () => {
  const line = payment.encode({
    client: '1',
    count: 1,
    total: centavos(1),
    date: Temporal.PlainDate.from('2026-11-21'),
    short: Temporal.PlainDate.from('2026-11-21'),
    due: null,
    second: null,
    at: Temporal.PlainTime.from('09:30'),
    name: 'x',
  });
  expect(payment.decode(line.replace('20261121', '20261131'))).toEqual({
    ok: false,
    fault: {
      from: 26,
      to: 33,
      field: 'date',
      found: '20261131',
      expected: 'a day as AAAAMMDD',
    },
  });
  expect(payment.decode('')).toMatchObject({
    ok: false,
    fault: { from: 1, to: 1, field: null, found: '0 characters', expected: '77 characters' },
  });
});

test('rejects a layout whose fields do not fill the line', () => {
  expect(() => fixedRecord(9, { one: digits(8) })).toThrow('8 columns in a line of 9');
});

const refused = <T>(field: Field<T>, found: string[]) =>
  found.map((one) => expect([one, field.decode(one)]).toEqual([one, null]));

describe('a field', () => {
  test('refuses to read an invalid value', () => {
    refused(digits(3), ['12 ', ' 12', '-12', '1.2', '１２３']);
    refused(wholeNumber(18), ['9'.repeat(18)]);
    refused(amount(3), ['1,2', '   ']);
    refused(day('AAAAMMDD'), ['20260229', '00000000', '20261301', '2026 121', '00000101']);
    refused(day('AAMMDD'), ['260229', '      ']);
    refused(orZeros(day('AAMMDD')), ['000001']);
    refused(timeOfDay(), ['2400', '0060', '9999', '  00']);
    refused(filler(2, '0'), ['00 '.slice(1), '  ']);
    refused(constant('AB'), ['ab']);
  });

  test('refuses to write an invalid value, and names the field', () => {
    const one =
      <T>(field: Field<T>, value: T) =>
      () =>
        fixedRecord(field.length, { one: field as Field<unknown> }).encode({ one: value });
    expect(one(digits(3), '1234')).toThrow('one: "1234" does not fit: 3 digits expected.');
    expect(one(digits(3), '')).toThrow(RangeError);
    expect(one(wholeNumber(2), 100)).toThrow(RangeError);
    expect(one(wholeNumber(2), -1)).toThrow(RangeError);
    expect(one(wholeNumber(2), 1.5)).toThrow(RangeError);
    expect(one(amount(3), centavos(1_000))).toThrow(RangeError);
    expect(one(text(2), 'abc')).toThrow(RangeError);
    expect(one(text(2), 'ñ')).toThrow(RangeError);
    expect(one(day('AAMMDD'), Temporal.PlainDate.from('2100-01-01'))).toThrow(RangeError);
    expect(one(day('AAAAMMDD'), Temporal.PlainDate.from('+012026-01-01'))).toThrow(RangeError);
  });
});

test('keeps Latin-1 letters in a text, and shows unprintable bytes as `?`', () => {
  expect(text(6).decode('ÑANDÚ ')).toEqual({ value: 'ÑANDÚ' });
  expect(text(6).decode('\x82a\x00\t b')).toEqual({ value: '?a?? b' });
});

test('ends a scanned code at its first control character', () => {
  const code = scannedCode(6);
  expect(code.decode('123   ')).toEqual({ value: { text: '123', hasControls: false } });
  expect(code.decode('123\x03\x049')).toEqual({ value: { text: '123', hasControls: true } });
  expect(code.decode('\x0112345')).toEqual({ value: { text: '', hasControls: true } });
});

test('matches a label in any case and with any number of blanks', () => {
  const content = label('COBRANZAS   RAPIPAGO');
  expect(content.decode('Cobranzas Rapipago  ')).toEqual({ value: undefined });
  expect(content.decode('PAGOS     RAPIPAGO  ')).toBeNull();
});

describe('a line altered in transfer', () => {
  const record = fixedRecord(12, { no: digits(3), name: text(6), rest: unread(3) });

  test('reads a line without its trailing blanks', () => {
    expect(record.decode('001Ana')).toEqual({ ok: true, values: { no: '001', name: 'Ana' } });
    expect(record.decode('001')).toEqual({ ok: true, values: { no: '001', name: '' } });
  });

  test('reads a line in UTF-8, whose letters take more bytes than columns', () => {
    const utf8 = Buffer.from('001Ñandú   x').toString('latin1');
    expect(record.decode(utf8)).toEqual({ ok: true, values: { no: '001', name: 'Ñandú' } });
  });

  test('refuses a line with a truncated number or an extra column', () => {
    const fault = (line: string) => ({
      ok: false,
      fault: { field: null, found: `${line.length} characters`, expected: '12 characters' },
    });
    expect(record.decode('00')).toMatchObject(fault('00'));
    expect(record.decode('001Ana      x')).toMatchObject(fault('001Ana      x'));
  });
});

test('normalizes words to capital letters and digits, cut to their columns', () => {
  const field = words(12);
  expect(field.encode('Cuota: Ñandú, 3°')).toBe('CUOTA NANDU ');
  expect(field.encode('¡¿?! …')).toBe(' '.repeat(12));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (one) => {
      expect(field.encode(one)).toMatch(/^[A-Z0-9 ]{12}$/);
    }),
    seed,
  );
});
