/** Longer words are truncated. */
const longestWord = 40;
/** Further words are not indexed. */
const mostWords = 100;

const begin = (word: string): string =>
  word.length <= longestWord ? word : [...word].slice(0, longestWord).join('');

// Matches words of ASCII text, in a fraction of the time that `anyWords` takes.
const asciiWords = /[a-z0-9]+/g;
const anyWords = /[\p{L}\p{N}]+/gu;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Removes case and accents. */
const fold = (text: string): string =>
  (isAscii(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase();

/**
 * Returns the distinct search words of texts: letters and digits, without case and accents (`Peña`
 * becomes `pena`). All other characters separate words.
 */
export function searchWordsOf(...texts: (string | null)[]): string[] {
  const folded = fold(texts.join(' '));
  const words = (folded.match(isAscii(folded) ? asciiWords : anyWords) ?? []).slice(0, mostWords);
  return [...new Set(words.map(begin))];
}

/** Minimum letters of a part that is found inside a word. Shorter parts match only beginnings. */
const shortestInside = 3;

/** Marks index entries that are the end of a word. Words contain only letters and digits. */
const mark = '~';

const lettersOf = (text: string): number => (isAscii(text) ? text.length : [...text].length);

/** Returns true if a search finds a part inside words too. */
export const isInside = (part: string): boolean => lettersOf(part) >= shortestInside;

/**
 * Returns a word's index entries: the word, and each of its ends with at least `shortestInside`
 * letters, marked. A part inside the word begins one of the ends.
 */
export function entriesOf(word: string): string[] {
  const letters = isAscii(word) ? word : [...word];
  const ends: string[] = [];
  for (let start = 1; start + shortestInside <= letters.length; start += 1) {
    const end = letters.slice(start);
    ends.push(mark + (typeof end === 'string' ? end : end.join('')));
  }
  return [word, ...ends];
}

/** Returns the beginnings of the entries that a part finds. */
export const beginningsOf = (part: string): string[] =>
  isInside(part) ? [part, mark + part] : [part];

/** Returns true if each part is in one of the words, or begins it if it is short. */
export const haveParts = (words: readonly string[], parts: readonly string[]): boolean =>
  parts.every((part) =>
    words.some((word) => (isInside(part) ? word.includes(part) : word.startsWith(part))),
  );
