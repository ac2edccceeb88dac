import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readItem, readQrId } from '../../src/qr/item.ts';

const accountId = 'A1B2C3D4';
const today = Temporal.PlainDate.from('2026-11-21');
const context = { accountId, today };

const good = {
  id: 'x1',
  city: 'Salta',
  multiple_payment: false,
  description: 'Cuota',
  first_total: 10,
  first_due_date: '21-11-2026',
  payer_name: 'Ana',
};

/** Returns the refused fields of an item. */
const faultyWith = (fields: Record<string, unknown>): string[] => {
  const read = readItem({ ...good, ...fields }, context);
  return read.ok ? [] : read.faults.map(({ field }) => field ?? 'item');
};

const part = fc
  .stringMatching(/^[A-Za-z0-9_-]{1,16}$/)
  .filter((text) => !/^[0-9A-F]{8}-/.test(text));

describe('an id', () => {
  test('normalizes an id with and without the account’s prefix to the same one', () => {
    fc.assert(
      fc.property(part, (text) => {
        const expected = { ok: true, value: `${accountId}-${text}` };
        expect(readQrId(text, accountId)).toEqual(expected);
        expect(readQrId(`${accountId}-${text}`, accountId)).toEqual(expected);
        expect(expected.value.length).toBeLessThanOrEqual(25);
      }),
      { seed: 1 },
    );
  });

  test('refuses an id with another account’s prefix, or with invalid characters', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-F]{8}$/), part, (other, text) => {
        fc.pre(other !== accountId);
        expect(readQrId(`${other}-${text}`, accountId).ok).toBe(false);
      }),
      { seed: 2 },
    );
    for (const text of [
      '',
      ' ',
      'a b',
      'ñ',
      'a.b',
      'x'.repeat(17),
      `${accountId}-`,
      '12345678-1',
    ]) {
      expect(readQrId(text, accountId).ok, text).toBe(false);
    }
  });
});

describe('an item', () => {
  test('accepts a plain item, and one with every field at its maximum', () => {
    expect(faultyWith({})).toEqual([]);
    expect(
      faultyWith({
        id: `${accountId}-${'x'.repeat(16)}`,
        city: '𝒳'.repeat(15),
        multiple_payment: 'true',
        external_reference: 'r'.repeat(255),
        description: `${'d'.repeat(490)}\n\tlines...`.slice(0, 500),
        first_total: '99999999.99',
        first_due_date: '31-12-2099',
        payer_name: 'p'.repeat(255),
      }),
    ).toEqual([]);
  });

  test('treats null and "" as missing', () => {
    const absent = ['external_reference', 'qr_type', 'qr_name', 'postal_code', 'payer_email'];
    for (const name of [...absent, 'second_due_date', 'second_total']) {
      expect(faultyWith({ [name]: null })).toEqual([]);
      expect(faultyWith({ [name]: '' })).toEqual([]);
    }
  });

  test.each([
    ['id', [undefined, null, '', 7, {}, 'a b']],
    ['city', [undefined, '', ' ', 'x'.repeat(16), 1, 'a\nb', '\ud800']],
    ['multiple_payment', [undefined, null, '', 1, 0, 'yes', 'TRUE', []]],
    ['external_reference', ['r'.repeat(256), 1, ' ', 'a\u0000b']],
    ['description', [undefined, 'x', ' '.repeat(5), 'd'.repeat(501), ['ab'], 'a\u0007b']],
    ['first_total', [undefined, 9.99, 0, -10, '1e3', 10.001, 100_000_000, 'ten', true, {}]],
    ['first_due_date', [undefined, '20-11-2026', '31-02-2027', '2026-12-01', 1, '01-01-2100']],
    ['payer_name', [undefined, '', 'p'.repeat(256), 5]],
    ['qr_name', ['x'.repeat(16)]],
    ['postal_code', ['x'.repeat(11)]],
    ['payer_email', ['ana', 'ana@', 5]],
  ])('reports a bad %s at that field only', (name, values) => {
    for (const value of values) {
      expect(faultyWith({ [name]: value }), JSON.stringify(value)).toEqual([name]);
    }
  });

  test('requires the second due day and total together, later and not lower', () => {
    const second = (day: unknown, total: unknown) =>
      faultyWith({ first_total: 20, second_due_date: day, second_total: total });
    expect(second('22-11-2026', 20)).toEqual([]);
    expect(second('22-11-2026', undefined)).toEqual(['second_total']);
    expect(second(undefined, 30)).toEqual(['second_due_date']);
    expect(second('21-11-2026', 19)).toEqual(['second_due_date', 'second_total']);
    expect(second('01-03-2027', 20)).toEqual(['second_due_date']);
  });

  test('includes the item’s id in the faults of other fields', () => {
    expect(readItem({ ...good, city: '' }, context)).toMatchObject({
      ok: false,
      id: `${accountId}-x1`,
    });
    expect(readItem({ ...good, id: '?', city: '' }, context)).toMatchObject({
      ok: false,
      id: null,
    });
  });

  test('reads any JSON as an item, or refuses it with messages, never with an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record(Object.fromEntries(Object.keys(good).map((name) => [name, fc.jsonValue()])), {
            requiredKeys: [],
          }),
        ),
        (value) => {
          const read = readItem(value, context);
          if (read.ok) return;
          expect(read.faults.length).toBeGreaterThan(0);
          for (const { message } of read.faults) expect(message).toMatch(/^[A-Z"].*\.$/s);
        },
      ),
      { seed: 3, numRuns: 500 },
    );
  });
});
