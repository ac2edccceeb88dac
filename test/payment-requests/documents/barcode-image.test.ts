import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barcodePng, barcodeSvg } from '../../../src/payment-requests/documents/barcode-image.ts';
import { barcodeShape } from '../../../src/payment-requests/documents/shapes.ts';
import { grouped } from '../../../src/platform/pages/format.ts';
import { barcode, evenBarcodes } from './model.ts';
import { code128In, itfIn, readImage } from './readers.ts';

/** Layout 0448 with open amount: long runs of zeros. */
const vector = '04480000000000123450000000000000000000000000000515000000052';

const codes = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 59, maxLength: 59 })
  .map((digits) => digits.join(''));

test('encodes the digits in the PNG, verified by an independent reader', async () => {
  for (const digits of [barcode, vector]) {
    expect(await code128In(await readImage(await barcodePng(digits)))).toEqual([digits]);
  }
});

test('encodes any 59 digits in the SVG, verified by an independent reader', async () => {
  await fc.assert(
    fc.asyncProperty(codes, async (digits) => {
      expect(await code128In(await readImage(Buffer.from(barcodeSvg(digits))))).toEqual([digits]);
    }),
    { numRuns: 20 },
  );
});

test.each(evenBarcodes)(
  'encodes %s as Interleaved 2 of 5, verified by an independent reader',
  async (digits) => {
    for (const bytes of [await barcodePng(digits), Buffer.from(barcodeSvg(digits))]) {
      const pixels = await readImage(bytes);
      expect(await itfIn(pixels)).toEqual([digits]);
      expect(await code128In(pixels)).toEqual([]);
    }
  },
);

test('draws wide elements of Interleaved 2 of 5 two and a half times as wide as narrow ones', () => {
  const [digits] = evenBarcodes;
  // Two of a digit's five elements are wide. The four of the start are narrow, and one of the
  // stop's three is wide.
  expect(barcodeShape(digits, 1).width).toBe(digits.length * (3 + 2 * 2.5) + 4 + 2.5 + 2);
});

test('leaves ten white modules on either side in both images', async () => {
  for (const bytes of [Buffer.from(barcodeSvg(barcode)), await barcodePng(barcode)]) {
    const { data, width } = await readImage(bytes);
    const row = 30;
    const dark = Array.from({ length: width }, (_, x) => (data[(row * width + x) * 4] ?? 0) < 128);
    // The image has two pixels per module.
    expect(dark.indexOf(true)).toBeGreaterThanOrEqual(20);
    expect(width - 1 - dark.lastIndexOf(true)).toBeGreaterThanOrEqual(20);
  }
});

test('prints the digits under the bars in groups of four', () => {
  expect(grouped('1234567')).toBe('1234 567');
  expect(barcodeSvg(barcode)).toContain(`>${grouped(barcode)}</text>`);
});

test('encodes 59 digits in 34 Code 128 characters: pairs, and one switch for the odd digit', () => {
  // Start, 29 pairs, switch, digit and check have 11 modules each; stop has 13.
  expect(barcodeShape(barcode, 1).width).toBe(33 * 11 + 13);
});

test('refuses anything but digits', async () => {
  for (const text of ['', '12a', '<svg>', '１２']) {
    expect(() => barcodeSvg(text)).toThrow(RangeError);
    await expect(barcodePng(text)).rejects.toThrow(RangeError);
  }
});
