import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type BarcodeFormat,
  barcodeBounds,
  barcodeCheckDigit,
  barcodeFormats,
  type CashCoupon,
  clientInBarcode,
  decodeBarcode,
  encodeBarcode,
  symbologyOf,
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
  collector: '5150000000',
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
  ['012300005256020010000000000000100000000063', 'the 42 digits of Pago Fácil, one due date'],
  ['04480000000000123452601150000149080100000155000515000000078', 'layout 0448'],
  ['04490000123452601150014908010001550000000000000515000000077', 'layout 0449'],
  ['04470000123452601150149080100155000000000000515000000088', 'layout 0447'],
  ['04480000000000123450000000000000000000000000000515000000052', 'layout 0448, open amount'],
])('computes both check digits of %s (%s)', (digits) => {
  const body = digits.slice(0, -2);
  const first = barcodeCheckDigit(body);
  expect(first + barcodeCheckDigit(body + first)).toBe(digits.slice(-2));
});

const collectorOf = (format: BarcodeFormat): string =>
  format === 'pago-facil' ? '0123' : '5150000000';

test.each<[BarcodeFormat, string]>([
  ['0447', '04470000123452601150149080100155000000000000515000000088'],
  ['0448', '04480000000000123452601150000149080100000155000515000000078'],
  ['0449', '04490000123452601150014908010001550000000000000515000000077'],
])('encodes a coupon with two due dates as the published digits of %s', (format, digits) => {
  expect(encodeBarcode({ ...sample, format })).toBe(digits);
});

test('reproduces a network’s printed coupon digit by digit', () => {
  const digits = '04440000132671207300093700060098385000000000515000934600';
  const printed: CashCoupon = {
    format: '0444',
    client: 13_267,
    firstDue: day('2012-07-30'),
    firstTotal: centavos(93_700),
    secondDue: day('2012-08-05'),
    secondTotal: centavos(98_385),
    collector: '5150009346',
  };
  expect(encodeBarcode(printed)).toBe(digits);
  const decoded = decodeBarcode(digits);
  expect(decoded.ok && plain(decoded.coupon)).toEqual(plain(printed));
});

test.each<[string, CashCoupon]>([
  [
    '012300017450261960000000001234500003301079',
    {
      ...sample,
      format: 'pago-facil',
      collector: '0123',
      firstDue: day('2026-07-15'),
      firstTotal: centavos(17_450),
      secondDue: day('2026-07-25'),
      secondTotal: centavos(17_780),
    },
  ],
])('encodes Pago Fácil’s surcharge and day of the year: %s', (digits, coupon) => {
  expect(encodeBarcode(coupon)).toBe(digits);
});

test.each([
  ['2002-01-01', '02001'],
  ['2003-07-05', '03186'],
  ['2004-12-31', '04366'],
])('encodes %s as %s for Pago Fácil', (due, digits) => {
  const coupon: CashCoupon = {
    ...sample,
    format: 'pago-facil',
    collector: '0123',
    firstDue: day(due),
    secondDue: null,
    secondTotal: null,
  };
  expect(encodeBarcode(coupon).slice(12, 17)).toBe(digits);
});

test('leaves zeros between client and convention for an open amount', () => {
  expect(encodeBarcode(open)).toBe('04480000000000123450000000000000000000000000000515000000052');
});

test('writes twelve zeros without a second due date', () => {
  const digits = encodeBarcode({ ...sample, secondDue: null, secondTotal: null });
  expect(digits.slice(35, 47)).toBe('000000000000');
  expect(digits.slice(0, 35)).toBe('04480000000000123452601150000149080');
  expect(digits).toHaveLength(59);
});

/** Generates coupons that fit a format. */
const couponsOf = (format: BarcodeFormat): fc.Arbitrary<CashCoupon> => {
  const { client, firstTotal, secondTotal } = barcodeBounds(format);
  return fc
    .record({
      client: fc.integer({ min: 0, max: client }),
      due: fc.integer({ min: 0, max: 36_000 }),
      first: fc.integer({ min: 1, max: firstTotal }),
      more: fc.nat({ max: 1_000_000 }),
      days: fc.option(fc.integer({ min: 1, max: 99 }), { nil: null }),
      collector: fc.stringMatching(format === 'pago-facil' ? /^\d{4}$/ : /^\d{10}$/),
    })
    .map(({ client: one, due, first, more, days, collector }) => {
      const firstDue = new Temporal.PlainDate(2000, 1, 1).add({ days: due });
      const total = centavos(first);
      return {
        format,
        client: one,
        collector,
        firstDue,
        firstTotal: total,
        secondDue: days === null ? null : firstDue.add({ days }),
        secondTotal: days === null ? null : centavos(Math.min(first + more, secondTotal(total))),
      };
    });
};
const coupons = fc.constantFrom(...barcodeFormats).chain(couponsOf);
const lengths = { '0444': 56, '0447': 56, '0448': 59, '0449': 59, 'pago-facil': 42 };
function plain(coupon: CashCoupon) {
  return {
    ...coupon,
    firstDue: coupon.firstDue?.toString(),
    secondDue: coupon.secondDue?.toString(),
  };
}

test('decodes every coupon of every format to itself', () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: coupons }, fc.constant(open)), (coupon) => {
      const digits = encodeBarcode(coupon);
      expect(digits).toMatch(/^\d+$/);
      expect(digits).toHaveLength(lengths[coupon.format]);
      const decoded = decodeBarcode(digits);
      if (!decoded.ok) throw new Error(decoded.fault);
      expect(plain(decoded.coupon)).toEqual(plain(coupon));
      expect(clientInBarcode(digits)).toEqual({ client: coupon.client, isCut: false });
    }),
    { numRuns: 500 },
  );
});

test.each(barcodeFormats)('accepts %s coupons up to exact bounds, and none above', (format) => {
  const { client, firstTotal, secondTotal } = barcodeBounds(format);
  const most: CashCoupon = {
    ...sample,
    format,
    collector: collectorOf(format),
    client,
    firstTotal,
    secondTotal: secondTotal(firstTotal),
  };
  expect(encodeBarcode(most)).toHaveLength(lengths[format]);
  for (const more of [
    { client: client + 1 },
    { firstTotal: centavos(firstTotal + 1), secondTotal: secondTotal(centavos(firstTotal + 1)) },
    { secondTotal: centavos(secondTotal(firstTotal) + 1) },
  ]) {
    expect(() => encodeBarcode({ ...most, ...more })).toThrow(RangeError);
  }
});

test('uses the bounds that the layouts’ owners publish', () => {
  const told = barcodeFormats.map((format) => {
    const { client, firstTotal, secondTotal } = barcodeBounds(format);
    return [format, client, firstTotal, secondTotal(centavos(100))];
  });
  expect(told).toEqual([
    ['0444', 999_999_999, 9_999_999, 9_999_999],
    ['0447', 99_999_999, 9_999_999, 9_999_999],
    ['0448', 999_999_999_999_999, 9_999_999_999, 9_999_999_999],
    ['0449', 999_999_999, 99_999_999, 99_999_999],
    ['pago-facil', 99_999_999_999_999, 99_999_999, 1_000_099],
  ]);
});

test('finds the client despite digits that a network cut off at the end', () => {
  for (const format of ['0444', '0447', '0448', '0449'] as const) {
    const digits = encodeBarcode({ ...sample, format });
    expect(clientInBarcode(digits.slice(0, 50))).toEqual({ client: 12_345, isCut: true });
    expect(clientInBarcode(digits.slice(0, 43))).toBeNull();
    expect(clientInBarcode(`${digits}0`)).toBeNull();
  }
  const short = encodeBarcode({ ...sample, format: 'pago-facil', collector: '0123' });
  expect(clientInBarcode(short.slice(0, 41))).toBeNull();
  expect(clientInBarcode(`9999${'0'.repeat(55)}`)).toBeNull();
});

test.each([
  ['a concept', '0447', 4, '1'],
  ['a third due date', '0444', 36, '5'],
  ['a third due date', '0449', 38, '5'],
  ['another currency', 'pago-facil', 31, '1'],
  ['a surcharge without its days', 'pago-facil', 38, '00'],
  ['the day 000 of a year', 'pago-facil', 14, '000'],
  ['the day 366 of a common year', 'pago-facil', 14, '366'],
] as const)('does not accept a coupon with %s as ours: %s', (_what, format, at, changed) => {
  const digits = encodeBarcode({ ...sample, format, collector: collectorOf(format) });
  const body = digits.slice(0, at) + changed + digits.slice(at + changed.length, -2);
  const once = body + barcodeCheckDigit(body);
  expect(decodeBarcode(once + barcodeCheckDigit(once))).toEqual({ ok: false, fault: 'fields' });
});

test('draws an even number of digits as Interleaved 2 of 5, an odd one as Code 128', () => {
  expect(symbologyOf('0'.repeat(42))).toBe('itf');
  expect(symbologyOf('0'.repeat(56))).toBe('itf');
  expect(symbologyOf('0'.repeat(59))).toBe('code128');
});

test('encodes digits that it decodes back to themselves, and refuses all others for their fields', () => {
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

test('refuses wrong lengths and wrong check digits', () => {
  const digits = encodeBarcode(sample);
  expect(decodeBarcode(digits.slice(1))).toEqual({ ok: false, fault: 'length' });
  expect(decodeBarcode(`${digits.slice(0, -1)}x`)).toEqual({ ok: false, fault: 'length' });
  const changed = `${digits.slice(0, -1)}${(Number(digits.at(-1)) + 1) % 10}`;
  expect(decodeBarcode(changed)).toEqual({ ok: false, fault: 'check-digits' });
});

test.each<[string, Partial<CashCoupon>]>([
  ['a second due date without its total', { secondTotal: null }],
  ['a second total without its due date', { secondDue: null }],
  ['a second due date without a first', { firstDue: null, firstTotal: null }],
  ['a first due date without its total', { firstTotal: null }],
  ['a second due date on the first', { secondDue: day('2026-01-15') }],
  ['a second due date a hundred days later', { secondDue: day('2026-04-25') }],
  ['a second total below the first', { secondTotal: centavos(149_079) }],
  ['a total of zero', { firstTotal: centavos(0) }],
  ['a negative total', { firstTotal: centavos(-1) }],
  ['a total of nine integer digits', { secondTotal: centavos(10_000_000_000) }],
  ['a client of sixteen digits', { client: 1_000_000_000_000_000 }],
  ['a client that is not a whole number', { client: 1.5 }],
  ['a due date outside the century', { firstDue: day('2100-01-01'), secondDue: day('2100-01-02') }],
  ['a short collector', { collector: '515' }],
  ['an unknown format', { format: '0446' as BarcodeFormat }],
  ['an open amount at Pago Fácil', { ...open, format: 'pago-facil', collector: '0123' }],
])('throws RangeError for %s', (_what, wrong) => {
  expect(() => encodeBarcode({ ...sample, ...wrong })).toThrow(RangeError);
});

test('accepts 99 days between the due dates', () => {
  expect(encodeBarcode({ ...sample, secondDue: day('2026-04-24') }).slice(35, 37)).toBe('99');
});
