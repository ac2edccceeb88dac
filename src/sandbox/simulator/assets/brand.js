// Brands of card numbers, matching src/kernel/card-number.ts.

/** First and last prefix of each brand's ranges; the first match counts. */
const ranges = {
  cabal: ['604201-604400', '589657', '603522', '650272', '65008700'],
  naranja: ['589562', '402917-402918', '527571-527572', '377798-377799'],
  visa: ['4'],
  mastercard: ['222100-272099', '503175', '510000-559999'],
  amex: ['34', '37'],
  diners: ['300-305', '36', '38'],
  maestro: [
    '500032-500033',
    '501',
    '5020',
    '5038',
    '561200-561356',
    '581700-581800',
    '589300-589399',
    '589998-599999',
    '600297-600382',
    '601232-601276',
    '6304',
    '639000-639099',
    '670000-679999',
  ],
};

const holds = (range, digits) => {
  const [first, last = first] = range.split('-');
  const prefix = digits.slice(0, first.length);
  return prefix.length === first.length && prefix >= first && prefix <= last;
};

/** Returns the brand of a card number, or of its first eight digits; null if no range matches. */
export function brandOf(digits) {
  const found = Object.entries(ranges).find(([, list]) => list.some((one) => holds(one, digits)));
  return found ? found[0] : null;
}
