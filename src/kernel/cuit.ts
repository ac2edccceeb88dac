/** Why a text is not a CUIT, CUIL or CDI. */
export type CuitFault = 'format' | 'prefix' | 'check-digit';

const prefixes = ['20', '23', '24', '27', '30', '33', '34', '50', '51', '55'];
const weights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** Returns the fault of a tax id of 11 digits without dashes, or null. */
export function cuitFault(text: string): CuitFault | null {
  if (!/^\d{11}$/.test(text)) return 'format';
  if (!prefixes.includes(text.slice(0, 2))) return 'prefix';
  const sum = weights.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  const check = 11 - (sum % 11);
  const digit = check === 11 ? 0 : check === 10 ? 9 : check;
  return Number(text[10]) === digit ? null : 'check-digit';
}

/** Returns true for 11 digits with a prefix in use and a correct check digit. */
export function isCuit(text: string): boolean {
  return cuitFault(text) === null;
}
