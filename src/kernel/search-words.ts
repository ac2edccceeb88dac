/** Longer words are known by their beginning. */
const longestWord = 40;
/** Of a longer text the first words are known. */
const mostWords = 100;

const begin = (word: string): string =>
  word.length <= longestWord ? word : [...word].slice(0, longestWord).join('');

// The same of what has no other letters, in a fraction of the time.
const asciiWords = /[a-z0-9]+/g;
const anyWords = /[\p{L}\p{N}]+/gu;

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Without case and accents. */
const fold = (text: string): string =>
  (isAscii(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase();

/**
 * The words of texts as they are searched, each once: letters and digits, without case and accents
 * (`Peña` is `pena`); whatever else is there parts them.
 */
export function searchWordsOf(...texts: (string | null)[]): string[] {
  const folded = fold(texts.join(' '));
  const words = (folded.match(isAscii(folded) ? asciiWords : anyWords) ?? []).slice(0, mostWords);
  return [...new Set(words.map(begin))];
}

/** True if every prefix begins one of the words. */
export const hasPrefixes = (words: readonly string[], prefixes: readonly string[]): boolean =>
  prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
