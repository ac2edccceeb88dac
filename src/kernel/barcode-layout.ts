import type { Centavos } from './money.ts';

/** SIRO's layouts, which all cash networks read, and Pago Fácil's own. */
export const barcodeFormats = ['0444', '0447', '0448', '0449', 'pago-facil'] as const;
export type BarcodeFormat = (typeof barcodeFormats)[number];

/**
 * The data in a cash coupon's barcode. An open amount has neither first due date nor total. The
 * second total is the full amount then due, not a surcharge.
 */
export interface CashCoupon {
  readonly format: BarcodeFormat;
  /** Here the id of the payment request. */
  readonly client: number;
  readonly firstDue: Temporal.PlainDate | null;
  readonly firstTotal: Centavos | null;
  readonly secondDue: Temporal.PlainDate | null;
  readonly secondTotal: Centavos | null;
  /**
   * The collector's code: ten digits of the agreement with the networks; four of Pago Fácil's
   * company.
   */
  readonly collector: string;
}

/** The most that a layout has room for. */
export interface BarcodeBounds {
  readonly client: number;
  readonly firstTotal: Centavos;
  /** The largest second total for such a first one. */
  secondTotal(first: Centavos): Centavos;
}

/** Places of a coupon's data in the digits. */
export interface BarcodeLayout {
  /** All digits, with both check digits. */
  readonly length: number;
  /** Leading digits with client, dues and totals: a network may omit later ones. */
  readonly telling: number;
  readonly client: { readonly from: number; readonly to: number };
  readonly bounds: BarcodeBounds;
  /** The digits without check digits. Throws RangeError when a field does not fit. */
  write(coupon: CashCoupon): string;
  /** Decodes digits; only a result that `write` turns into the same digits is a coupon. */
  read(digits: string): CashCoupon;
}

/** The largest number of so many digits. */
export const largest = (width: number): number => 10 ** width - 1;

export function digitsOf(value: number, width: number, what: string): string {
  const digits = String(value);
  if (!Number.isSafeInteger(value) || value < 0 || digits.length > width) {
    throw new RangeError(`The ${what} does not fit ${width} digits.`);
  }
  return digits.padStart(width, '0');
}

/** Throws RangeError unless the collector has so many digits. */
export function collectorDigits(collector: string, width: number): string {
  if (!/^\d+$/.test(collector) || collector.length !== width) {
    throw new RangeError(`The collector of this barcode format has ${width} digits.`);
  }
  return collector;
}

/** Two digits of the year. Throws RangeError outside this century. */
export function yearDigits({ year }: Temporal.PlainDate): string {
  if (year < 2000 || year > 2099) {
    throw new RangeError('A barcode holds due dates of the years 2000 to 2099.');
  }
  return String(year % 100).padStart(2, '0');
}
