/** Returns the length in Unicode code points. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

export function withoutSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const anyControl = /[\u0000-\u001f\u007f-\u009f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const controlButLayout = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

const plain = /^[!-~\u00a1-\u00ff][ -~\u00a1-\u00ff]*$/;

/**
 * Returns true for printable Latin-1 without a leading blank: a fast check that most texts pass.
 * Such a text has no control character, direction mark or surrogate.
 */
export const isPlain = (text: string): boolean => plain.test(text);

/**
 * Returns true if C0, DEL or C1 characters are present. `lineBreaks` permits line breaks and tabs.
 */
export function hasControl(text: string, { lineBreaks }: { lineBreaks: boolean }): boolean {
  return (lineBreaks ? controlButLayout : anyControl).test(text);
}

/**
 * Characters that change the direction of text (embeddings, overrides, isolates: U+202A to U+202E,
 * U+2066 to U+2069), so that it reads differently from what is stored. Joiners and marks are
 * allowed, because spelling needs them.
 */
const direction = /[\u202a-\u202e\u2066-\u2069]/g;

/** Returns the first character that changes the direction of text, such as `U+202E`, or null. */
export function directionControl(text: string): string | null {
  const index = text.search(direction);
  return index < 0 ? null : `U+${text.charCodeAt(index).toString(16).toUpperCase()}`;
}

/**
 * Returns true if a text may be shown and sent: well-formed, without controls and direction
 * changes.
 */
export const isSound = (text: string): boolean =>
  isWellFormed(text) && !hasControl(text, { lineBreaks: false }) && directionControl(text) === null;

/**
 * Returns true for a line that is not blank, has at most `longest` characters, and may be shown and
 * sent.
 */
export const isLine = (text: string, longest: number): boolean =>
  !isBlank(text) && isSound(text) && lengthOf(text) <= longest;

/** Right-to-left letters, and the marks that force their direction. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Removes direction controls from foreign text, and isolates right-to-left text within a sentence
 * (Unicode isolates, UAX 9) where markup cannot.
 */
export function isolated(text: string): string {
  const sound = text.replace(direction, '');
  return rightToLeft.test(sound) ? `\u2068${sound}\u2069` : sound;
}

/**
 * Truncates foreign text in our emails to 60 characters. Adds zero-width spaces to text that mail
 * programs would turn into links.
 */
export function unlinked(text: string): string {
  const short = lengthOf(text) > 60 ? `${[...text].slice(0, 59).join('')}…` : text;
  return /[\p{L}\d][.:/@][\p{L}\d/]{2}/u.test(short) ? short.replace(/[.:/@]/g, '$&\u200b') : short;
}

/** Returns true if the text has no lone surrogates. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** Returns true if PostgreSQL can store the text: it has neither NUL nor a lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && isWellFormed(text);

/** Replaces control characters, lone surrogates and characters beyond U+FFFF with `?`. */
export const printable = (text: string): string =>
  text.replace(/[^ -~\u00a0-\ud7ff\ue000-\uffff]/gu, '?');

/** Truncates a text without cutting a character in two, and replaces lone surrogates. */
export const firstLetters = (text: string, most: number): string =>
  (text.length <= most ? text : [...text].slice(0, most).join('')).toWellFormed();

/** Western letters and signs that Unicode decomposition leaves unchanged. */
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ł: 'l',
  Ł: 'L',
  ı: 'i',
  '°': 'o',
  '€': 'EUR',
  '¡': '!',
  '«': '"',
  '»': '"',
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '′': "'",
  '‐': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '⁄': '/',
  '×': 'x',
  '•': '-',
  '·': '-',
};

/**
 * Transliterates to printable ASCII (U+0020 to U+007E). Removes accents (ñ becomes n) and invisible
 * characters, replaces white space, typographic quotes and dashes with plain ones, spells out some
 * letters and signs (ß, €), and replaces any other character with `?`.
 */
export function toAscii(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  // Otherwise a lone acute accent would decompose into a space and a mark.
  const decomposed = text.replaceAll('´', "'").normalize('NFKD').replace(/\p{M}/gu, '');
  return decomposed
    .replace(/\s/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[^ -~]/gu, (character) => spelled[character] ?? '?');
}
