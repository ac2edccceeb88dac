import { parseCardNumber } from './card-number.ts';

/** A cheap filter that every text with a card number passes. */
const mayHold = /\d[\d .\u00a0-]{11,}\d/;

const runs = /\d(?:[ .\u00a0-]?\d)+/g;
const groups = /\d+/g;

/** An adjacent letter or digit makes a number part of another word. */
const isWord = /[\p{L}\p{N}_]/u;
/** Start of a QR id: the account's id and a dash. The part that the caller chose follows. */
const qrAccount = /(?<![\p{L}\p{N}])[\dA-F]{8}-$/u;

/** Lengths of digit groups as the brands print them. `cardFrom` also accepts a single group. */
const layouts = [
  [4, 4, 4, 4],
  [4, 4, 4, 4, 3],
  [4, 6, 5],
  [4, 6, 4],
];

const cbuLength = 22;
/** Minimum length of a barcode. Two card numbers are shorter. */
const barcodeLength = 40;

interface Span {
  start: number;
  end: number;
}

const isCard = (digits: string): boolean => digits.length >= 13 && parseCardNumber(digits).ok;

/** Splits a run into its groups of digits. Omits those that are part of a word or of a QR id. */
function groupsOf(text: string, { index: start, 0: run }: RegExpExecArray): Span[] {
  return [...run.matchAll(groups)]
    .map((found) => ({ start: start + found.index, end: start + found.index + found[0].length }))
    .filter((group) => {
      const before = text.slice(Math.max(0, group.start - 10), group.start);
      const [after = ''] = text.slice(group.end, group.end + 2);
      return !(isWord.test(before.at(-1) ?? '') || isWord.test(after) || qrAccount.test(before));
    });
}

/** Returns the span of the card number that begins with the group `first`, or null. */
function cardFrom(text: string, all: readonly Span[], first: number): Span | null {
  const [head] = all.slice(first, first + 1);
  if (!head) return null;
  const lengthAt = (index: number): number => {
    const group = all[index];
    return group ? group.end - group.start : 0;
  };
  const layout = layouts.find((lengths) =>
    lengths.every((length, index) => lengthAt(first + index) === length),
  );
  for (const count of layout ? [layout.length, 1] : [1]) {
    const span = { start: head.start, end: all[first + count - 1]?.end ?? head.end };
    if (isCard(text.slice(span.start, span.end).replace(/\D/g, ''))) return span;
  }
  return null;
}

function cardsIn(text: string): Span[] {
  if (!mayHold.test(text)) return [];
  const found: Span[] = [];
  for (const run of text.matchAll(runs)) {
    const digits = run[0].replace(/\D/g, '').length;
    if (digits < 13 || digits === cbuLength || digits >= barcodeLength) continue;
    const all = groupsOf(text, run);
    for (let index = 0; index < all.length; index += 1) {
      const card = cardFrom(text, all, index);
      if (card === null) continue;
      found.push(card);
      while ((all[index + 1]?.start ?? card.end) < card.end) index += 1;
    }
  }
  return found;
}

/**
 * Returns true if a text contains a card number: 13 to 19 digits in a brand's range with a correct
 * check digit, in one group or in those printed on cards. Excludes CBUs, CUITs and barcodes.
 */
export const holdsCardNumber = (text: string): boolean => cardsIn(text).length > 0;

/** Masks each card number in a text except for its last four digits. */
export function maskCardNumbers(text: string): string {
  let result = '';
  let from = 0;
  for (const { start, end } of cardsIn(text)) {
    const hidden = end - 4;
    result += text.slice(from, start) + text.slice(start, hidden).replace(/\d/g, '*');
    from = hidden;
  }
  return result + text.slice(from);
}

/** Marks elements whose text is a test card number. */
const testCardAttribute = 'data-test-card';

/** Masks card numbers in a page's texts, except test cards and the contents of form fields. */
export function maskCardsInMarkup(markup: string): string {
  if (!holdsCardNumber(markup)) return markup;
  // bounded: our own markup, whose texts have no bare angle brackets
  const pieces = markup.split(/(<[^>]*>)/);
  return pieces
    .map((piece, index) => {
      const before = pieces[index - 1] ?? '';
      const stays =
        index % 2 === 1 || before.includes(testCardAttribute) || before.startsWith('<textarea');
      return stays ? piece : maskCardNumbers(piece);
    })
    .join('');
}
