import { daysBetween } from './dates.ts';
import { type Centavos, centavos } from './money.ts';

/**
 * What a cash coupon's barcode says. An open amount has neither first due date nor total. The
 * second total is the full amount then due, not a surcharge.
 */
export interface CashCoupon {
  /** Four digits that name the layout: `0448`. */
  readonly format: string;
  /** Up to 15 digits; here the id of the payment request. */
  readonly client: number;
  readonly firstDue: Temporal.PlainDate | null;
  readonly firstTotal: Centavos | null;
  readonly secondDue: Temporal.PlainDate | null;
  readonly secondTotal: Centavos | null;
  /** Ten digits that name the agreement with the networks. */
  readonly convention: string;
}

/** Why digits are no coupon of ours. */
export type BarcodeFault = 'length' | 'check-digits' | 'fields';

export type DecodedBarcode =
  | { readonly ok: true; readonly coupon: CashCoupon }
  | { readonly ok: false; readonly fault: BarcodeFault };

/** Two digits of the barcode count the days from the first due date to the second. */
export const maxDaysBetweenDues = 99;

/**
 * The networks' check digit: weights 1, then 3, 5, 7, 9 over and over without coming back to 1;
 * half the sum, rounded down, modulo 10.
 */
export function barcodeCheckDigit(digits: string): string {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    sum += Number(digits[at]) * (at === 0 ? 1 : 3 + 2 * ((at - 1) % 4));
  }
  return String(Math.floor(sum / 2) % 10);
}

function withCheckDigits(body: string): string {
  const once = body + barcodeCheckDigit(body);
  return once + barcodeCheckDigit(once);
}

function digitsOf(value: number, width: number, what: string): string {
  const digits = String(value);
  if (!Number.isSafeInteger(value) || value < 0 || digits.length > width) {
    throw new RangeError(`The ${what} does not fit ${width} digits.`);
  }
  return digits.padStart(width, '0');
}

/** AAMMDD */
function dueDigits(day: Temporal.PlainDate): string {
  if (day.year < 2000 || day.year > 2099) {
    throw new RangeError('A barcode holds due dates of the years 2000 to 2099.');
  }
  return day.toString().slice(2).replaceAll('-', '');
}

function firstDigits({ firstDue, firstTotal }: CashCoupon): string {
  if (firstDue === null && firstTotal === null) return '0'.repeat(16);
  if (firstDue === null || firstTotal === null || firstTotal === 0) {
    throw new RangeError('The first due date and a first total above zero come together.');
  }
  return dueDigits(firstDue) + digitsOf(firstTotal, 10, 'first total');
}

function secondDigits({ firstDue, firstTotal, secondDue, secondTotal }: CashCoupon): string {
  if (secondDue === null && secondTotal === null) return '0'.repeat(12);
  if (firstDue === null || firstTotal === null || secondDue === null || secondTotal === null) {
    throw new RangeError('The second due date and total come together, after the first ones.');
  }
  const days = daysBetween(firstDue, secondDue);
  if (days < 1 || days > maxDaysBetweenDues) {
    throw new RangeError(`The second due date is 1 to ${maxDaysBetweenDues} days after the first.`);
  }
  if (secondTotal < firstTotal) throw new RangeError('The second total is below the first.');
  return digitsOf(days, 2, 'days') + digitsOf(secondTotal, 10, 'second total');
}

/**
 * The 59 digits of a coupon for all cash networks (SIRO layout 0448, Code 128): format 4,
 * client 15, first due AAMMDD 6, first total 8+2, days to the second due 2, second total 8+2,
 * convention 10, two check digits. Unused dues are zeros. Throws RangeError when a field does not
 * fit.
 */
export function encodeBarcode(coupon: CashCoupon): string {
  if (!/^\d{4}$/.test(coupon.format)) throw new RangeError('A barcode format has 4 digits.');
  if (!/^\d{10}$/.test(coupon.convention)) throw new RangeError('A convention has 10 digits.');
  const client = digitsOf(coupon.client, 15, 'client');
  const dues = firstDigits(coupon) + secondDigits(coupon);
  return withCheckDigits(coupon.format + client + dues + coupon.convention);
}

/** AAMMDD as a day of this century; null when it is none. */
function dueDay(digits: string): Temporal.PlainDate | null {
  const [year, month, day] = [0, 2, 4].map((at) => Number(digits.slice(at, at + 2)));
  const last = new Temporal.PlainDate(2000 + (year ?? 0), 1, 1);
  if (!month || month > 12 || !day || day > last.with({ month }).daysInMonth) return null;
  return last.with({ month, day });
}

/** Reads what `encodeBarcode` writes, and nothing else: encoding the coupon gives the digits back. */
export function decodeBarcode(digits: string): DecodedBarcode {
  if (!/^\d{59}$/.test(digits)) return { ok: false, fault: 'length' };
  if (withCheckDigits(digits.slice(0, 57)) !== digits) return { ok: false, fault: 'check-digits' };
  const hasFirst = Number(digits.slice(19, 35)) > 0;
  const hasSecond = Number(digits.slice(35, 47)) > 0;
  const firstDue = hasFirst ? dueDay(digits.slice(19, 25)) : null;
  const days = Number(digits.slice(35, 37));
  const coupon: CashCoupon = {
    format: digits.slice(0, 4),
    client: Number(digits.slice(4, 19)),
    firstDue,
    firstTotal: hasFirst ? centavos(Number(digits.slice(25, 35))) : null,
    secondDue: hasSecond && firstDue !== null ? firstDue.add({ days }) : null,
    secondTotal: hasSecond ? centavos(Number(digits.slice(37, 47))) : null,
    convention: digits.slice(47, 57),
  };
  try {
    encodeBarcode(coupon); // one place knows which fields go together
  } catch {
    return { ok: false, fault: 'fields' };
  }
  return { ok: true, coupon };
}
