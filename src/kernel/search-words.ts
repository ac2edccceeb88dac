/** Longer words are truncated. */
const longestWord = 40;
/** Further words are not indexed. */
const mostWords = 100;

const begin = (word: string): string =>
  word.length <= longestWord ? word : [...word].slice(0, longestWord).join('');

// Matches words of ASCII text, in a fraction of the time.
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

/** Returns true if each prefix begins one of the words. */
export const hasPrefixes = (words: readonly string[], prefixes: readonly string[]): boolean =>
  prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
