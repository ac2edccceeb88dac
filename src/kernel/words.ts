/** Longer words are known by their beginning. */
const longestWord = 40;
/** Of a longer text the first words are known. */
const mostWords = 100;

const begin = (word: string): string =>
  word.length <= longestWord ? word : [...word].slice(0, longestWord).join('');

/**
 * The words of texts as they are searched, each once: letters and digits, without case and accents
 * (`Peña` is `pena`); whatever else is there parts them.
 */
export function wordsOf(...texts: (string | null)[]): string[] {
  const folded = texts.join(' ').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = folded.matchAll(/[\p{L}\p{N}]+/gu).map(([word]) => begin(word));
  return [...new Set(words.take(mostWords))];
}

/** Whether each of some words begins one of a text's. */
export const hasPrefixes = (words: readonly string[], prefixes: readonly string[]): boolean =>
  prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
