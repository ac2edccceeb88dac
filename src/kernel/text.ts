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

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const anyControl = /[\u0000-\u001f\u007f-\u009f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const controlButLayout = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** True when C0, DEL or C1 characters are there; `lineBreaks` permits line breaks and tabs. */
export function hasControl(text: string, { lineBreaks }: { lineBreaks: boolean }): boolean {
  return (lineBreaks ? controlButLayout : anyControl).test(text);
}

/** True when the text has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** What Unicode decomposition leaves as it is, in the letters and signs of western typography. */
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
