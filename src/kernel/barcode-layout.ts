import type { Centavos } from './money.ts';

/** SIRO's layouts, which all cash networks read, and Pago Fácil's own. */
export const barcodeFormats = ['0444', '0447', '0448', '0449', 'pago-facil'] as const;
export type BarcodeFormat = (typeof barcodeFormats)[number];

/**
 * Data of a cash coupon's barcode. An open amount has no first due date and no total. The second
 * total is the full amount then due, not a surcharge.
 */
export interface CashCoupon {
  readonly format: BarcodeFormat;
  /** Id of the payment request. */
  readonly client: number;
  readonly firstDue: Temporal.PlainDate | null;
  readonly firstTotal: Centavos | null;
  readonly secondDue: Temporal.PlainDate | null;
  readonly secondTotal: Centavos | null;
  /**
   * The collector's code: ten digits of the agreement with the networks, or four of Pago Fácil's
   * company.
   */
  readonly collector: string;
}

/** Largest values that a layout can hold. */
export interface BarcodeBounds {
  readonly client: number;
  readonly firstTotal: Centavos;
  /** Returns the largest second total for a first total. */
  secondTotal(first: Centavos): Centavos;
}

/** Positions of a coupon's data in the digits. */
export interface BarcodeLayout {
  /** Number of digits, including both check digits. */
  readonly length: number;
  /**
   * Number of leading digits with client, due dates and totals. A network may omit the digits after
   * them.
   */
  readonly telling: number;
  readonly client: { readonly from: number; readonly to: number };
  readonly bounds: BarcodeBounds;
  /** Returns the digits without check digits. Throws RangeError if a field does not fit. */
  write(coupon: CashCoupon): string;
  /** Decodes digits without validation. The caller encodes the result again and compares. */
  read(digits: string): CashCoupon;
}

/** Returns the largest number with `width` digits. */
export const largest = (width: number): number => 10 ** width - 1;

export function digitsOf(value: number, width: number, what: string): string {
  const digits = String(value);
  if (!Number.isSafeInteger(value) || value < 0 || digits.length > width) {
    throw new RangeError(`The ${what} does not fit ${width} digits.`);
  }
  return digits.padStart(width, '0');
}

/** Returns the collector's digits. Throws RangeError unless there are `width` digits. */
export function collectorDigits(collector: string, width: number): string {
  if (!/^\d+$/.test(collector) || collector.length !== width) {
    throw new RangeError(`The collector of this barcode format has ${width} digits.`);
  }
  return collector;
}

/** Returns the last two digits of the year. Throws RangeError outside this century. */
export function yearDigits({ year }: Temporal.PlainDate): string {
  if (year < 2000 || year > 2099) {
    throw new RangeError('A barcode holds due dates of the years 2000 to 2099.');
  }
  return String(year % 100).padStart(2, '0');
}
