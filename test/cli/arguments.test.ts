import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import { dayIn, idIn, reasonIn, referenceIn } from '../../src/cli/arguments.ts';

describe('parses arguments', () => {
  test.each([
    [idIn, '42', 42],
    [reasonIn, ' the payer called ', 'the payer called'],
  ])('parses with %o: %s', (read, text, value) => {
    expect(read(text)).toBe(value);
  });

  test('accepts a day in either order of its parts', () => {
    expect(dayIn('01-12-2026')).toEqual(dayIn('2026-12-01'));
  });
});

describe('rejects invalid values and names the allowed ones', () => {
  test.each([
    [dayIn, ['31-02-2026', '001-1-2026', ''], 'day'],
    [idIn, ['-1', '1e3', '1234567890123456', ''], 'number'],
    [reasonIn, ['', ' ', 'a\nb', 'x'.repeat(256)], 'characters'],
    [referenceIn, ['', 'x'.repeat(65)], 'characters'],
  ] as const)('rejects with %o: %o', (read, texts, allowed) => {
    for (const text of texts) {
      expect(() => read(text)).toThrow(InvalidArgumentError);
      expect(() => read(text)).toThrow(allowed);
    }
  });
});
