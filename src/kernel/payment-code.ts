import { luhnDigit, passesLuhn } from './card-number.ts';

// The code that payers type at a cash machine or in online banking: a 1, the request's id in 14
// digits, and a Luhn check digit (ISO/IEC 7812-1 annex B), so that one wrong digit or two swapped
// digits do not name another request. Older codes have 15 digits, the zero-padded id without a
// check digit, and are smaller as numbers.

const mark = '1';
const idDigits = 14;
const largestId = 10 ** idDigits - 1;
const currentShape = /^0*(1[0-9]{15})$/;
const earlierShape = /^0*([0-9]{1,15})$/;

/** Returns a request's code of 16 digits. Throws RangeError if the id has more than 14 digits. */
export function paymentCode(id: number): string {
  if (!Number.isSafeInteger(id) || id < 1 || id > largestId) {
    throw new RangeError(`A payment code holds ids from 1 to ${largestId}.`);
  }
  const body = mark + String(id).padStart(idDigits, '0');
  return body + luhnDigit(body);
}

/** Returns the code in the format before check digits: the id in 15 digits. */
export const earlierPaymentCode = (id: number): string => String(id).padStart(15, '0');

/**
 * Returns the id in a code of either format, with or without leading zeros, as networks print them.
 * Returns null for an invalid code.
 */
export function idInPaymentCode(text: string): number | null {
  const current = currentShape.exec(text)?.[1];
  if (current !== undefined) {
    const id = Number(current.slice(mark.length, mark.length + idDigits));
    return passesLuhn(current) && id > 0 ? id : null;
  }
  const id = Number(earlierShape.exec(text)?.[1] ?? 0);
  return id > 0 ? id : null;
}

/** Returns true if two codes differ at most in leading zeros. */
export const samePaymentCode = (one: string, other: string): boolean =>
  one.replace(/^0+/, '') === other.replace(/^0+/, '');
