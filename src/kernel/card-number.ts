export const cardBrandNames = [
  'visa',
  'mastercard',
  'amex',
  'cabal',
  'naranja',
  'maestro',
  'diners',
] as const;

export type CardBrand = (typeof cardBrandNames)[number];

export const isCardBrand = (text: string): text is CardBrand =>
  cardBrandNames.some((brand) => brand === text);

/** Why a text is not a card number. Callers write the message, which must not repeat the number. */
export type CardNumberFault = 'characters' | 'length' | 'brand' | 'check-digit';

export type ParsedCardNumber =
  | { readonly ok: true; readonly number: string; readonly brand: CardBrand }
  | { readonly ok: false; readonly fault: CardNumberFault };

interface BrandRanges {
  readonly brand: CardBrand;
  readonly lengths: readonly number[];
  /** First and last prefix, both inclusive and equally long. */
  readonly ranges: readonly (readonly [string, string])[];
}

const anyMaestroLength = [12, 13, 14, 15, 16, 17, 18, 19];

/**
 * The first match counts, because Cabal and Naranja have ranges within those of brands further
 * down. Ranges are ActiveMerchant's.
 */
const brands: readonly BrandRanges[] = [
  {
    brand: 'cabal',
    lengths: [16],
    ranges: [
      ['604201', '604400'],
      ['589657', '589657'],
      ['603522', '603522'],
      ['650272', '650272'],
      ['65008700', '65008700'],
    ],
  },
  {
    brand: 'naranja',
    lengths: [15, 16],
    ranges: [
      ['589562', '589562'],
      ['402917', '402918'],
      ['527571', '527572'],
      ['377798', '377799'],
    ],
  },
  { brand: 'visa', lengths: [13, 16, 19], ranges: [['4', '4']] },
  {
    brand: 'mastercard',
    lengths: [16],
    ranges: [
      ['222100', '272099'],
      ['503175', '503175'], // of a local issuer, from an acquirer's documentation
      ['510000', '559999'],
    ],
  },
  {
    brand: 'amex',
    lengths: [15],
    ranges: [
      ['34', '34'],
      ['37', '37'],
    ],
  },
  {
    brand: 'diners',
    lengths: [14, 15, 16, 17, 18, 19],
    ranges: [
      ['300', '305'],
      ['36', '36'],
      ['38', '38'],
    ],
  },
  {
    brand: 'maestro',
    lengths: anyMaestroLength,
    ranges: [
      ['500032', '500033'],
      ['501', '501'],
      ['5020', '5020'],
      ['5038', '5038'],
      ['561200', '561356'],
      ['581700', '581800'],
      ['589300', '589399'],
      ['589998', '599999'],
      ['600297', '600382'],
      ['601232', '601276'],
      ['6304', '6304'],
      ['639000', '639099'],
      ['670000', '679999'],
    ],
  },
];

function rangesOf(digits: string): BrandRanges | undefined {
  return brands.find(({ ranges }) =>
    ranges.some(([first, last]) => {
      const prefix = digits.slice(0, first.length);
      return prefix.length === first.length && prefix >= first && prefix <= last;
    }),
  );
}

/**
 * Returns the brand of a card number, or of its first eight digits, or null if no range matches.
 */
export function brandOf(digits: string): CardBrand | null {
  return rangesOf(digits)?.brand ?? null;
}

/** Computes Luhn's sum: from the right, every second digit is doubled. */
function luhnSum(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum;
}

/** Returns true for a correct Luhn check digit (ISO/IEC 7812-1 annex B). */
export const passesLuhn = (digits: string): boolean => luhnSum(digits) % 10 === 0;

export const luhnDigit = (body: string): string => String((10 - (luhnSum(`${body}0`) % 10)) % 10);

const naranjaWeights = [4, 3, 2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** Returns true for 16 digits with Naranja's own modulus 11 check digit. */
export function passesNaranja(digits: string): boolean {
  const sum = naranjaWeights.reduce(
    (total, weight, index) => total + weight * Number(digits[index]),
    0,
  );
  const check = 11 - (sum % 11);
  return digits.length === 16 && Number(digits[15]) === (check > 9 ? 0 : check);
}

/**
 * Returns true for a check digit that is correct for the brand. Naranja's own cards (589562) pass
 * with either of two check digits. Cards that begin with 377798 or 377799 have none.
 */
function passesCheck(digits: string): boolean {
  if (digits.startsWith('589562')) return passesNaranja(digits) || passesLuhn(digits);
  return digits.startsWith('377798') || digits.startsWith('377799') || passesLuhn(digits);
}

/**
 * Parses a card number of 12 to 19 digits, ignoring spaces and dashes. Checks the brand's length
 * and check digit. Rejects numbers without a known brand.
 */
export function parseCardNumber(text: string): ParsedCardNumber {
  const number = text.replace(/[\s-]/g, '');
  if (!/^\d*$/.test(number)) return { ok: false, fault: 'characters' };
  if (number.length < 12 || number.length > 19) return { ok: false, fault: 'length' };
  const ranges = rangesOf(number);
  if (ranges === undefined) return { ok: false, fault: 'brand' };
  if (!ranges.lengths.includes(number.length)) return { ok: false, fault: 'length' };
  if (!passesCheck(number)) return { ok: false, fault: 'check-digit' };
  return { ok: true, number, brand: ranges.brand };
}

/** Returns the last four digits, the only ones that may be shown. */
export function lastFour(digits: string): string {
  return digits.slice(-4);
}
