import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import { dayIn, idIn, reasonIn, referenceIn } from '../../src/cli/arguments.ts';

describe('parses arguments', () => {
  test.each([
    ['an id', idIn, '42', 42],
    ['a reason, without the spaces around it', reasonIn, ' it failed ', 'it failed'],
  ])('parses %s', (_name, read, text, value) => {
    expect(read(text)).toBe(value);
  });

  test('accepts a day in either order of its parts', () => {
    expect(dayIn('01-12-2026')).toEqual(dayIn('2026-12-01'));
  });
});

describe('rejects invalid values and names the allowed ones', () => {
  test.each([
    ['day', dayIn, ['31-02-2026', '001-1-2026', ''], 'day'],
    ['id', idIn, ['-1', '1e3', '1234567890123456', ''], 'number'],
    ['reason', reasonIn, ['', ' ', 'a\nb', 'x'.repeat(256)], 'characters'],
    ['reference', referenceIn, ['', 'x'.repeat(65)], 'characters'],
  ] as const)('rejects an invalid %s', (_name, read, texts, allowed) => {
    for (const text of texts) {
      expect(() => read(text)).toThrow(InvalidArgumentError);
      expect(() => read(text)).toThrow(allowed);
    }
  });
});
