import { luhnDigit, passesLuhn } from './card-number.ts';

/**
 * The code that a payer types at a cash machine or in online banking: a 1, the id of the request in
 * 14 digits, and a check digit (Luhn, ISO/IEC 7812-1 annex B), so that one wrong digit, or two that
 * changed places, name nobody else's bill. Codes of 15 digits, the id with zeros in front and no
 * check digit, were issued before; as a number they are smaller.
 */
const mark = '1';
const idDigits = 14;
const largestId = 10 ** idDigits - 1;
const currentShape = /^0*(1[0-9]{15})$/;
const earlierShape = /^0*([0-9]{1,15})$/;

/** The code of a request: 16 digits. Throws RangeError past 14 digits of id. */
export function paymentCode(id: number): string {
  if (!Number.isSafeInteger(id) || id < 1 || id > largestId) {
    throw new RangeError(`A payment code holds ids from 1 to ${largestId}.`);
  }
  const body = mark + String(id).padStart(idDigits, '0');
  return body + luhnDigit(body);
}

/** A code as it was issued before check digits: the id in 15 digits. */
export const earlierPaymentCode = (id: number): string => String(id).padStart(15, '0');

/**
 * The id in a code of either generation, with or without zeros on its left, as networks print
 * them; null for what is no code, or has a digit wrong.
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

/** True if two texts are one code: leading zeros do not count. */
export const samePaymentCode = (one: string, other: string): boolean =>
  one.replace(/^0+/, '') === other.replace(/^0+/, '');
