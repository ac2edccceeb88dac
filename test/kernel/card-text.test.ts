import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdsCardNumber, maskCardNumbers, maskCardsInMarkup } from '../../src/kernel/card-text.ts';
import { paymentCode } from '../../src/kernel/payment-code.ts';
import { cbuEndingIn } from '../harness/builders/mandates.ts';

test.each([
  ['4111111111111111', '************1111'],
  ['card: 4111 1111 1111 1111.', 'card: **** **** **** 1111.'],
  ['5500-0055-5555-5559 12/28', '****-****-****-5559 12/28'],
  ['4111 1111 1111 1111 12 28', '**** **** **** 1111 12 28'],
  ['amex 3782 822463 10005', 'amex **** ****** *0005'],
  ['30569309025904, 6304 0000 0000 0000', '**********5904, **** **** **** 0000'],
  ['4111111111111111 5500005555555559', '************1111 ************5559'],
  ['4000000000000000006', '***************0006'],
])('masks %s', (text, masked) => {
  expect(holdsCardNumber(text)).toBe(true);
  expect(maskCardNumbers(text)).toBe(masked);
});

test.each([
  ['a number with a wrong check digit', '4111111111111112'],
  ['a number of no brand', '9111111111111111'],
  ['twelve digits', '411111111111'],
  ['twenty digits', '41111111111111111111'],
  ['a part of a word', 'x4111111111111111'],
  ['a part of a hash', '4111111111111111ab'],
  ['the caller’s part of a QR id', 'A1B2C3D4-4111111111111111'],
  ['groups that no card has', '411 1111111111 111'],
  ['digits with thousands separators', '4.111.111.111.111.111'],
  ['a barcode in groups', Array.from({ length: 11 }, () => '4111 1111 1111 1111').join(' ')],
])('does not mistake %s for a card', (_name, text) => {
  expect(holdsCardNumber(text)).toBe(false);
  expect(maskCardNumbers(text)).toBe(text);
});

test('never mistakes CBUs, CUITs and payment codes for cards, in any grouping', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 13 - 1 }), fc.integer({ min: 1, max: 8 }), (number, width) => {
      const cbu = cbuEndingIn(String(number % 10_000).padStart(4, '0'), number % 10 ** 9);
      const grouped = cbu.replace(new RegExp(`(\\d{${width}})(?=\\d)`, 'g'), '$1 ');
      const cuit = `20-${String(number).padStart(8, '0').slice(0, 8)}-4`;
      for (const text of [cbu, grouped, cuit, paymentCode(number + 1)]) {
        expect(holdsCardNumber(text)).toBe(false);
      }
    }),
  );
});

test('masks card numbers in a page’s texts, not in its addresses, fields and test cards', () => {
  const card = '4111111111111111';
  const markup = `<a href="/x?q=${card}">${card}</a><textarea name="m">${card}</textarea><td data-test-card>${card}</td>`;
  expect(maskCardsInMarkup(markup)).toBe(
    `<a href="/x?q=${card}">************1111</a><textarea name="m">${card}</textarea><td data-test-card>${card}</td>`,
  );
});

test('takes linear time for adversarial text', () => {
  const text = '4111 1111 1111 1111 2 '.repeat(50_000);
  const before = process.cpuUsage();
  maskCardNumbers(text);
  maskCardNumbers('4'.repeat(1_000_000));
  maskCardNumbers('4 '.repeat(500_000));
  const { user } = process.cpuUsage(before);
  expect(user).toBeLessThan(2_000_000);
});
