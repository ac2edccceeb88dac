import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  barcodeCheckDigit,
  type CashCoupon,
  decodeBarcode,
  encodeBarcode,
} from '../../src/kernel/barcode.ts';
import { centavos } from '../../src/kernel/money.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const sample: CashCoupon = {
  format: '0448',
  client: 12_345,
  firstDue: day('2026-01-15'),
  firstTotal: centavos(149_080),
  secondDue: day('2026-01-25'),
  secondTotal: centavos(155_000),
  convention: '5150000000',
};
const open: CashCoupon = {
  ...sample,
  firstDue: null,
  firstTotal: null,
  secondDue: null,
  secondTotal: null,
};

test.each([
  ['04440000132671207300093700060098385000000000515000934600', 'a paid coupon of the network'],
  ['012300017450261960000000001234500003301079', 'the 42 digits of Pago Fácil'],
  ['012300005256020010000000000000100000000063', 'the 42 digits of Pago Fácil, one due'],
  ['04480000000000123452601150000149080100000155000515000000078', 'layout 0448'],
  ['04490000123452601150014908010001550000000000000515000000077', 'layout 0449'],
  ['04470000123452601150149080100155000000000000515000000088', 'layout 0447'],
  ['04480000000000123450000000000000000000000000000515000000052', 'layout 0448, open amount'],
])('both check digits of %s are ours (%s)', (digits) => {
  const body = digits.slice(0, -2);
  const first = barcodeCheckDigit(body);
  expect(first + barcodeCheckDigit(body + first)).toBe(digits.slice(-2));
});

test('a coupon with two dues is the published digits', () => {
  expect(encodeBarcode(sample)).toBe('04480000000000123452601150000149080100000155000515000000078');
});

test('an open amount leaves zeros between client and convention', () => {
  expect(encodeBarcode(open)).toBe('04480000000000123450000000000000000000000000000515000000052');
});

test('without a second due its twelve digits are zeros', () => {
  const digits = encodeBarcode({ ...sample, secondDue: null, secondTotal: null });
  expect(digits.slice(35, 47)).toBe('000000000000');
  expect(digits.slice(0, 35)).toBe('04480000000000123452601150000149080');
  expect(digits).toHaveLength(59);
});

const amounts = fc.integer({ min: 1, max: 9_999_999_999 });
const coupons: fc.Arbitrary<CashCoupon> = fc
  .record({
    format: fc.stringMatching(/^\d{4}$/),
    client: fc.integer({ min: 0, max: 999_999_999_999_999 }),
    due: fc.integer({ min: 0, max: 36_000 }),
    totals: fc.tuple(amounts, amounts),
    days: fc.option(fc.integer({ min: 1, max: 99 }), { nil: null }),
    convention: fc.stringMatching(/^\d{10}$/),
  })
  .map(({ format, client, due, totals, days, convention }) => {
    const firstDue = new Temporal.PlainDate(2000, 1, 1).add({ days: due });
    return {
      format,
      client,
      convention,
      firstDue,
      firstTotal: centavos(Math.min(...totals)),
      secondDue: days === null ? null : firstDue.add({ days }),
      secondTotal: days === null ? null : centavos(Math.max(...totals)),
    };
  });
const plain = (coupon: CashCoupon) => ({
  ...coupon,
  firstDue: coupon.firstDue?.toString(),
  secondDue: coupon.secondDue?.toString(),
});

test('every coupon is 59 digits that decode to it', () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: coupons }, fc.constant(open)), (coupon) => {
      const digits = encodeBarcode(coupon);
      expect(digits).toMatch(/^\d{59}$/);
      const decoded = decodeBarcode(digits);
      if (!decoded.ok) throw new Error(decoded.fault);
      expect(plain(decoded.coupon)).toEqual(plain(coupon));
    }),
  );
});

test('digits that decode encode to themselves', () => {
  const bodies = fc.tuple(
    fc.stringMatching(/^0448\d{15}$/),
    fc.constantFrom('260115', '260230', '000000', '261301', '260100'),
    fc.constantFrom('0000149080', '0000000000'),
    fc.constantFrom('00', '10'),
    fc.constantFrom('0000000000', '0000155000', '0000149079'),
  );
  const outcomes = new Set<boolean>();
  fc.assert(
    fc.property(bodies, (fields) => {
      const body = `${fields.join('')}5150000000`;
      const once = body + barcodeCheckDigit(body);
      const digits = once + barcodeCheckDigit(once);
      const decoded = decodeBarcode(digits);
      outcomes.add(decoded.ok);
      if (decoded.ok) expect(encodeBarcode(decoded.coupon)).toBe(digits);
      else expect(decoded.fault).toBe('fields');
    }),
    { numRuns: 500 },
  );
  expect(outcomes.size).toBe(2);
});

test('wrong lengths and wrong check digits are refused', () => {
  const digits = encodeBarcode(sample);
  expect(decodeBarcode(digits.slice(1))).toEqual({ ok: false, fault: 'length' });
  expect(decodeBarcode(`${digits.slice(0, -1)}x`)).toEqual({ ok: false, fault: 'length' });
  const changed = `${digits.slice(0, -1)}${(Number(digits.at(-1)) + 1) % 10}`;
  expect(decodeBarcode(changed)).toEqual({ ok: false, fault: 'check-digits' });
});

test.each<[string, Partial<CashCoupon>]>([
  ['a second due without its total', { secondTotal: null }],
  ['a second total without its due', { secondDue: null }],
  ['a second due without a first', { firstDue: null, firstTotal: null }],
  ['a first due without its total', { firstTotal: null }],
  ['a second due on the first', { secondDue: day('2026-01-15') }],
  ['a second due a hundred days later', { secondDue: day('2026-04-25') }],
  ['a second total below the first', { secondTotal: centavos(149_079) }],
  ['a total of zero', { firstTotal: centavos(0) }],
  ['a negative total', { firstTotal: centavos(-1) }],
  ['a total of nine integer digits', { secondTotal: centavos(10_000_000_000) }],
  ['a client of sixteen digits', { client: 1_000_000_000_000_000 }],
  ['a client that is no whole number', { client: 1.5 }],
  ['a due date outside the century', { firstDue: day('2100-01-01'), secondDue: day('2100-01-02') }],
  ['a short convention', { convention: '515' }],
  ['a long format', { format: '00448' }],
])('%s is a RangeError', (_what, wrong) => {
  expect(() => encodeBarcode({ ...sample, ...wrong })).toThrow(RangeError);
});

test('99 days between the dues still fit', () => {
  expect(encodeBarcode({ ...sample, secondDue: day('2026-04-24') }).slice(35, 37)).toBe('99');
});
