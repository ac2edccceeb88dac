import { type Centavos, parseAmount } from '../../../kernel/money.ts';
import { directionControl, hasControl, isBlank, lengthOf } from '../../../kernel/text.ts';

const longestReference = 64;

/** Amounts with dots between thousands and a comma before cents. */
const asWritten = /^-?(\d+|\d{1,3}(\.\d{3})+)(,\d{1,2})?$/;

/**
 * Parses an amount as people type it: `1.430,50`, `$ 1430,50`, `1.430`, `1430.50`. Returns null if
 * it is malformed.
 */
export function pesosIn(text: string, maxDigits?: number): Centavos | null {
  const bare = text.replace(/[\s$\u00a0]/g, '');
  const plain = asWritten.test(bare) ? bare.replaceAll('.', '').replace(',', '.') : bare;
  const amount = parseAmount(plain, maxDigits);
  return amount.ok ? amount.value : null;
}

/** Parses one line of plain text. Returns null if it is blank, too long or has several lines. */
export function lineIn(text: string | null, most: number): string | null {
  const line = (text ?? '').trim();
  const isLine = !hasControl(line, { lineBreaks: false }) && directionControl(line) === null;
  return !isBlank(line) && lengthOf(line) <= most && isLine ? line : null;
}

export const referenceIn = (text: string | null): string | null => lineIn(text, longestReference);
