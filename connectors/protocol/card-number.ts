/** Returns true if the check digit is correct. */
function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, double = false; at >= 0; at -= 1, double = !double) {
    const value = Number(digits[at]) * (double ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

// Groups may be separated by one space, dot or dash, as people and programs write them; digits
// inside an id of letters and dashes do not count.
const candidates = /(?<![\dA-Za-z-])[2-6]\d(?:[ .-]?\d){11,17}(?![\dA-Za-z-])/g;

/** Returns the card numbers in a text: 13 to 19 digits of a card's range with a check digit. */
export const cardNumbersIn = (text: string): string[] =>
  [...text.matchAll(candidates)].map(([found]) => found.replace(/\D/g, '')).filter(isLuhn);
