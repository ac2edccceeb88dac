import { decimalForm, isRawNumber } from './json.ts';

/** An amount of pesos as an integer number of centavos. */
export type Centavos = number & { readonly __brand: 'Centavos' };

/** Brands a number as centavos. Throws RangeError unless it is a safe integer. */
export function centavos(n: number): Centavos {
  if (!Number.isSafeInteger(n)) throw new RangeError(`Not a whole number of centavos: ${n}`);
  return (n === 0 ? 0 : n) as Centavos; // never minus zero
}

export const zero: Centavos = centavos(0);

/** Adds amounts. Like the functions below, throws RangeError beyond the safe integers. */
export const plus = (a: Centavos, b: Centavos): Centavos => centavos(a + b);
export const minus = (a: Centavos, b: Centavos): Centavos => centavos(a - b);
export const negate = (a: Centavos): Centavos => centavos(-a);

/** Why a value is not an amount. Callers write the message. */
export type AmountFault = 'type' | 'format' | 'decimals' | 'digits';

export type ParsedAmount =
  | { readonly ok: true; readonly value: Centavos }
  | { readonly ok: false; readonly fault: AmountFault };

/** Maximum number of integer digits in a single payment. */
const maxIntegerDigits = 8;
/** Maximum number of integer digits in sums. JSON numbers are exact up to this size. */
export const maxSumDigits = 13;
const maxDecimals = 2;
/** Fewest decimals that count as an artifact of binary arithmetic. */
const shortestNoise = 7;

/**
 * Parses an amount in pesos: a JSON number (including one that `parseJson` kept as text) or a
 * string such as `123.45`. Accepts a minus sign and leaves bounds to the caller. Allows 2 decimals
 * and up to 8 integer digits, or `maxDigits`. Rounds away the residue of binary arithmetic
 * (300.29999999999995). Rejects exponents in strings. Works on decimal text only, never on binary
 * fractions.
 */
export function parseAmount(value: unknown, maxDigits = maxIntegerDigits): ParsedAmount {
  if (typeof value === 'number') {
    return Number.isFinite(value)
      ? fromNumber(String(value), maxDigits)
      : { ok: false, fault: 'digits' };
  }
  if (typeof value === 'string') return fromText(value, maxDigits);
  if (isRawNumber(value)) return fromNumber(value.rawJSON, maxDigits);
  return { ok: false, fault: 'type' };
}

function fromNumber(literal: string, maxDigits: number): ParsedAmount {
  const { negative, digits, exponent } = decimalForm(literal);
  if (digits.length + exponent > maxDigits) return { ok: false, fault: 'digits' };
  const excess = -exponent - maxDecimals;
  const units =
    excess > 0 ? roundedUnits(digits, excess) : Number(`${digits}${'0'.repeat(-excess)}`);
  if (units === null) return { ok: false, fault: 'decimals' };
  if (units >= 10 ** (maxDigits + maxDecimals)) return { ok: false, fault: 'digits' };
  return { ok: true, value: centavos(negative ? -units : units) };
}

/**
 * Rounds away the last `excess` digits if they are within 1e-6 pesos of whole centavos, or returns
 * null.
 */
function roundedUnits(digits: string, excess: number): number | null {
  if (excess >= digits.length + 4) return 0;
  const padded = digits.padStart(excess + 1, '0');
  const units = Number(padded.slice(0, -excess));
  const rest = padded.slice(-excess);
  if (/^0000|^00010*$/.test(rest)) return units;
  return /^9999/.test(rest) ? units + 1 : null;
}

function fromText(text: string, maxDigits: number): ParsedAmount {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return { ok: false, fault: 'format' };
  const [, sign, whole = '', fraction = ''] = match;
  if (whole.length > maxDigits) return { ok: false, fault: 'digits' };
  // Too short for an artifact: `1.500` may mean 1500.
  const isShort = fraction.length > maxDecimals && fraction.length < shortestNoise;
  if (isShort) return { ok: false, fault: 'decimals' };
  return fromNumber(`${sign}${whole}.${fraction}`, maxDigits);
}

/** Converts a stored JSON number of pesos to centavos, through its decimal text. */
export const fromJsonNumber = (pesos: number): Centavos =>
  centavos(Number(pesos.toFixed(2).replace('.', '')));

/**
 * Returns the amount as a JSON number: 1430, 13.53. IEEE 754 division is correctly rounded, so the
 * quotient is the number nearest to the decimal text and prints as that text up to 10^15 centavos.
 */
export function toJsonNumber(amount: Centavos): number {
  return amount / 100;
}

/** Formats an amount with two decimals: `1430.00`, `-0.05`. */
export function decimalText(amount: Centavos): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Formats an amount for people in Argentina, with an ordinary space: `$ 1.430,00`, `-$ 0,05`. */
export function formatPesos(amount: Centavos): string {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  // bounded: an amount has at most 20 characters
  const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, '.');
  return `${amount < 0 ? '-' : ''}$ ${whole},${digits.slice(-2)}`;
}

const million = 1_000_000n;

/**
 * Returns a share of an amount in parts per million (10.5 % = 105000), rounded half away from zero
 * to the centavo. Throws RangeError if `ppm` is not a safe integer or the result is out of range.
 */
export function share(amount: Centavos, ppm: number): Centavos {
  if (!Number.isSafeInteger(ppm)) throw new RangeError(`Not a whole number of millionths: ${ppm}`);
  const product = BigInt(amount) * BigInt(ppm);
  const size = product < 0n ? -product : product;
  const rounded = (size + million / 2n) / million;
  return centavos(Number(product < 0n ? -rounded : rounded));
}

/** Returns the sum of amounts, 0 for none. Throws RangeError beyond the safe integers. */
export function sumOf(values: Iterable<Centavos>): Centavos {
  let sum = zero;
  for (const value of values) sum = plus(sum, value);
  return sum;
}
