import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  earlierPaymentCode,
  idInPaymentCode,
  paymentCode,
  samePaymentCode,
} from '../../src/kernel/payment-code.ts';

const ids = fc.integer({ min: 1, max: 99_999_999_999_999 });

test('encodes an id in 16 digits, and decodes it with or without leading zeros', () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 0, max: 3 }), (id, zeros) => {
      const code = paymentCode(id);
      expect(code).toMatch(/^1\d{15}$/);
      expect(idInPaymentCode('0'.repeat(zeros) + code)).toBe(id);
      expect(samePaymentCode('0'.repeat(zeros) + code, code)).toBe(true);
    }),
  );
});

test('matches no request if one digit of the suffix is wrong', () => {
  fc.assert(
    fc.property(
      ids,
      fc.integer({ min: 1, max: 15 }),
      fc.integer({ min: 1, max: 9 }),
      (id, at, by) => {
        const code = paymentCode(id);
        const wrong = (Number(code[at]) + by) % 10;
        expect(idInPaymentCode(code.slice(0, at) + wrong + code.slice(at + 1))).toBeNull();
      },
    ),
  );
});

test('matches no issued code if the first digit is wrong', () => {
  for (const id of [1, 48_210_337, 9_999_999_999_999]) {
    const rest = paymentCode(id).slice(1);
    for (const first of '023456789') {
      const read = idInPaymentCode(first + rest);
      // Without its first digit it reads as an earlier code, which was never issued for that
      // request.
      expect(read === null || !samePaymentCode(first + rest, paymentCode(read))).toBe(true);
    }
  }
});

test('decodes fifteen-digit codes issued earlier', () => {
  expect(earlierPaymentCode(2_644)).toBe('000000000002644');
  for (const text of ['000000000002644', '2644', '0000000000000002644']) {
    expect(idInPaymentCode(text)).toBe(2_644);
  }
});

test('rejects ids that do not fit, and texts that are not codes', () => {
  for (const id of [0, -1, 1.5, 100_000_000_000_000]) expect(() => paymentCode(id)).toThrow(/1 to/);
  for (const text of ['', '0', 'abc', '12 34', '1'.repeat(17), '2'.repeat(16), '-5']) {
    expect(idInPaymentCode(text)).toBeNull();
  }
});
