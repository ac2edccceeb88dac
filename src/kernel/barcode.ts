import {
  type BarcodeBounds,
  type BarcodeFormat,
  type BarcodeLayout,
  barcodeFormats,
  type CashCoupon,
} from './barcode-layout.ts';
import { pagoFacilLayout } from './barcode-pago-facil.ts';
import { siroLayouts } from './barcode-siro.ts';

export { maxDaysBetweenDues } from './barcode-dues.ts';
export { type BarcodeFormat, barcodeFormats, type CashCoupon } from './barcode-layout.ts';

export type BarcodeFault = 'length' | 'check-digits' | 'fields';

export type DecodedBarcode =
  | { readonly ok: true; readonly coupon: CashCoupon }
  | { readonly ok: false; readonly fault: BarcodeFault };

const zero = '0'.charCodeAt(0);

/**
 * Computes the networks' check digit. The weights are 1, then 3, 5, 7, 9 repeated; the result is
 * half the sum, rounded down, modulo 10.
 */
export function barcodeCheckDigit(digits: string): string {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(index) - zero;
    sum += digit * (index === 0 ? 1 : 3 + 2 * ((index - 1) % 4));
  }
  return String(Math.floor(sum / 2) % 10);
}

function withCheckDigits(body: string): string {
  const once = body + barcodeCheckDigit(body);
  return once + barcodeCheckDigit(once);
}

function layoutOf(format: BarcodeFormat): BarcodeLayout {
  const layout = format === 'pago-facil' ? pagoFacilLayout : siroLayouts.get(format);
  if (layout === undefined) {
    throw new RangeError(`A barcode format is one of ${barcodeFormats.join(', ')}.`);
  }
  return layout;
}

/** Returns the layout of digits, or null if none fits. SIRO codes may lack their last digits. */
function layoutIn(digits: string): BarcodeLayout | null {
  if (!/^\d+$/.test(digits)) return null;
  if (digits.length === pagoFacilLayout.length) return pagoFacilLayout;
  const siro = siroLayouts.get(digits.slice(0, 4));
  return siro && digits.length >= siro.telling && digits.length <= siro.length ? siro : null;
}

export const barcodeBounds = (format: BarcodeFormat): BarcodeBounds => layoutOf(format).bounds;

/**
 * Encodes a coupon in its format: 56 (0444, 0447), 59 (0448, 0449) or 42 digits (pago-facil), which
 * end with two check digits. Throws RangeError if a field does not fit.
 */
export const encodeBarcode = (coupon: CashCoupon): string =>
  withCheckDigits(layoutOf(coupon.format).write(coupon));

/**
 * Decodes a coupon's digits. Accepts only output of `encodeBarcode`: encoding the result returns
 * the same digits.
 */
export function decodeBarcode(digits: string): DecodedBarcode {
  const layout = layoutIn(digits);
  if (layout?.length !== digits.length) return { ok: false, fault: 'length' };
  if (withCheckDigits(digits.slice(0, -2)) !== digits) return { ok: false, fault: 'check-digits' };
  const coupon = layout.read(digits);
  try {
    // Only the encoder knows which combinations are valid and that unused digits are zeros.
    if (encodeBarcode(coupon) !== digits) return { ok: false, fault: 'fields' };
  } catch {
    return { ok: false, fault: 'fields' };
  }
  return { ok: true, coupon };
}

/** A client number read from possibly incomplete digits. */
export interface ClientInBarcode {
  readonly client: number;
  /** True if a network cut digits off at the end, for lack of space. */
  readonly isCut: boolean;
}

/**
 * Returns the client in a coupon's digits without checking the rest, or null if the format is
 * unknown.
 */
export function clientInBarcode(digits: string): ClientInBarcode | null {
  const layout = layoutIn(digits);
  if (layout === null) return null;
  const { from, to } = layout.client;
  return { client: Number(digits.slice(from, to)), isCut: digits.length < layout.length };
}

/**
 * Returns the symbology of a barcode. Interleaved 2 of 5 encodes pairs of digits, so an odd number
 * needs Code 128.
 */
export const symbologyOf = (digits: string): 'itf' | 'code128' =>
  digits.length % 2 === 0 ? 'itf' : 'code128';
