/** Length in Unicode code points. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** True when nothing but white space is there. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** An address without the slashes that it ends with. */
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
 * True for a text that one look finds in order, as most are: letters, digits and signs of western
 * Europe (Latin-1), none of which is a control, turns writing around or is half a character, and
 * not a blank first.
 */
export const isPlain = (text: string): boolean => plain.test(text);

/** True when C0, DEL or C1 characters are there; `lineBreaks` permits line breaks and tabs. */
export function hasControl(text: string, { lineBreaks }: { lineBreaks: boolean }): boolean {
  return (lineBreaks ? controlButLayout : anyControl).test(text);
}

/**
 * The characters that turn the order of what follows around (embeddings, overrides, isolates:
 * U+202A to U+202E, U+2066 to U+2069). With them a text reads differently from what is stored.
 * Joiners and marks, which spelling needs, are not among them.
 */
const direction = /[\u202a-\u202e\u2066-\u2069]/g;

/** The first character that changes the direction of writing, as `U+202E`; null when none does. */
export function directionControl(text: string): string | null {
  const index = text.search(direction);
  return index < 0 ? null : `U+${text.charCodeAt(index).toString(16).toUpperCase()}`;
}

/** True if a text may be shown and sent: whole characters, no controls, its direction unchanged. */
export const isSound = (text: string): boolean =>
  isWellFormed(text) && !hasControl(text, { lineBreaks: false }) && directionControl(text) === null;

/** True for a line of text, at most that long, that may be shown and sent. */
export const isLine = (text: string, longest: number): boolean =>
  !isBlank(text) && isSound(text) && lengthOf(text) <= longest;

/** Letters that are written from right to left, and the marks that say so. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Somebody's text to stand inside a sentence of ours, where no markup can keep the two apart: its
 * direction ends with it (Unicode isolates, UAX 9). A text that runs as ours does stays as it is.
 */
export function isolated(text: string): string {
  const sound = text.replace(direction, '');
  return rightToLeft.test(sound) ? `\u2068${sound}\u2069` : sound;
}

/**
 * Somebody's text in a mail of ours, at most 60 characters: mail programs make no link of it, since
 * a zero-width space stands behind each sign that could be inside an address.
 */
export function unlinked(text: string): string {
  const short = lengthOf(text) > 60 ? `${[...text].slice(0, 59).join('')}…` : text;
  return /[\p{L}\d][.:/@][\p{L}\d/]{2}/u.test(short) ? short.replace(/[.:/@]/g, '$&\u200b') : short;
}

/** True when the text has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** Letters and signs of western typography that Unicode decomposition leaves unchanged. */
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
  '″': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '′': "'",
  '´': "'",
  '‐': '-',
  '‑': '-',
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
 * Transliterates to printable ASCII (U+0020 to U+007E): accents go, ñ becomes n, typographic
 * quotes and dashes become plain ones, white space becomes a space, invisible characters go, and
 * any other character becomes `?`.
 */
export function toAscii(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  // The acute accent on its own would otherwise decompose into a space and a mark.
  const decomposed = text.replaceAll('´', "'").normalize('NFKD').replace(/\p{M}/gu, '');
  return decomposed
    .replace(/\s/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[^ -~]/gu, (character) => spelled[character] ?? '?');
}
