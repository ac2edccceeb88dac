import { type Centavos, parseAmount } from '../../../kernel/money.ts';
import { directionControl, hasControl, isBlank, lengthOf } from '../../../kernel/text.ts';

/** The longest text that the ledger's verbs keep as a reason. */
const longestReason = 255;
const longestReference = 64;

/** An amount as people write it: `1.430,50`, `$ 1430,50`, `1430.50`; null: it is none. */
export function pesosIn(text: string): Centavos | null {
  const bare = text.replace(/[\s$\u00a0]/g, '');
  const grouped = /^-?\d{1,3}(\.\d{3})+$/.test(bare);
  const decimal = bare.includes(',') || grouped ? bare.replaceAll('.', '').replace(',', '.') : bare;
  const amount = parseAmount(decimal);
  return amount.ok ? amount.value : null;
}

/** One line of plain text; null where it is not, or blank, or too long. */
function lineIn(text: string | null, most: number): string | null {
  const line = (text ?? '').trim();
  const isLine = !hasControl(line, { lineBreaks: false }) && directionControl(line) === null;
  return !isBlank(line) && lengthOf(line) <= most && isLine ? line : null;
}

export const reasonIn = (text: string | null): string | null => lineIn(text, longestReason);
export const referenceIn = (text: string | null): string | null => lineIn(text, longestReference);
