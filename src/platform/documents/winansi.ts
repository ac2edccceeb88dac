/** Windows-1252 from 0x80 to 0x9F. The rest of it is ASCII and Latin-1. */
const extras = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

const outside = new RegExp(`[^\\n -~\\u00a1-\\u00ac\\u00ae-\\u00ff${extras}]`, 'u');

const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

/**
 * Converts text to the standard PDF fonts' characters (WinAnsi, ISO 32000-1 annex D). Keeps line
 * breaks, turns other white space into spaces, drops invisible characters and unsupported accents.
 * Replaces any other character with `?`.
 */
export function toWinAnsi(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .normalize('NFC');
  if (!outside.test(plain)) return plain;
  let out = '';
  for (const { segment } of graphemes.segment(plain)) out += printable(segment);
  return out;
}

function printable(grapheme: string): string {
  if (!outside.test(grapheme)) return grapheme;
  if (/^[^\S\n]+$/u.test(grapheme)) return ' ';
  const visible = grapheme.replace(/[\p{Cc}\p{Cf}]|\p{Variation_Selector}/gu, '');
  if (visible === '') return '';
  if (!outside.test(visible)) return visible;
  const base = visible.normalize('NFKD').replace(/\p{M}/gu, '');
  return base !== '' && !outside.test(base) ? base : '?';
}
