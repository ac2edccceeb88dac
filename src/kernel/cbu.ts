/** Why a text is not a CBU. `cvu`: it identifies a wallet account instead. */
export type CbuFault = 'format' | 'first-check-digit' | 'second-check-digit' | 'cvu';

const firstWeights = [7, 1, 3, 9, 7, 1, 3];
const secondWeights = [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3];
const cvuMark = '000';

function checkDigit(digits: string, weights: readonly number[]): string {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return String((10 - (sum % 10)) % 10);
}

/** Returns the fault in the length and check digits that CBU and CVU share, or null. */
function keyFault(text: string): Exclude<CbuFault, 'cvu'> | null {
  if (!/^\d{22}$/.test(text)) return 'format';
  if (text[7] !== checkDigit(text.slice(0, 7), firstWeights)) return 'first-check-digit';
  if (text[21] !== checkDigit(text.slice(8, 21), secondWeights)) return 'second-check-digit';
  return null;
}

/**
 * Returns the fault of a CBU (22 digits, two check digits; BCRA, Com. "A" 7533), or null. An
 * unknown bank code is not a fault, because new banks appear.
 */
export function cbuFault(text: string): CbuFault | null {
  return keyFault(text) ?? (text.startsWith(cvuMark) ? 'cvu' : null);
}

/** Returns true for the CBU of a bank account. */
export function isCbu(text: string): boolean {
  return cbuFault(text) === null;
}

/** Returns true for the CVU of an account at a payment service provider (BCRA, Com. "A" 6510). */
export function isCvu(text: string): boolean {
  return keyFault(text) === null && text.startsWith(cvuMark) && text[8] === '0';
}

/** Returns the provider and client of a CVU, or null if the text is not one. */
export function cvuParts(text: string): { psp: string; client: number } | null {
  return isCvu(text) ? { psp: text.slice(3, 7), client: Number(text.slice(9, 21)) } : null;
}

/**
 * Builds a client's CVU at a payment service provider: 000, provider (4 digits), check digit, 0,
 * client (12 digits, zero-padded), check digit. Throws RangeError for a malformed provider or
 * client.
 */
export function buildCvu(psp: string, client: number | string): string {
  const id = String(client);
  if (!/^\d{4}$/.test(psp)) throw new RangeError('A provider code has 4 digits.');
  if (!/^\d{1,12}$/.test(id)) throw new RangeError('A client of a provider has up to 12 digits.');
  const first = cvuMark + psp;
  const second = `0${id.padStart(12, '0')}`;
  return first + checkDigit(first, firstWeights) + second + checkDigit(second, secondWeights);
}
