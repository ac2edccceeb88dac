import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  directionControl,
  hasControl,
  isBlank,
  isolated,
  isPlain,
  isWellFormed,
  lengthOf,
  toAscii,
} from '../../src/kernel/text.ts';

test('measures length in code points', () => {
  expect(lengthOf('ñandú')).toBe(5);
  expect(lengthOf('😀')).toBe(1);
  expect(lengthOf('')).toBe(0);
});

test('treats a text as plain only if it passes every other check', () => {
  const unit = fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCharCode(code));
  const texts = fc.string({ unit: fc.oneof(unit, fc.constantFrom(...' aé\n\u00a0\u00ad\ud83d')) });
  fc.assert(
    fc.property(texts.filter(isPlain), (text) => {
      expect(isBlank(text)).toBe(false);
      expect(isWellFormed(text)).toBe(true);
      expect(hasControl(text, { lineBreaks: false })).toBe(false);
      expect(directionControl(text)).toBeNull();
      expect(lengthOf(text)).toBe(text.length);
    }),
  );
  expect(['Ana Pérez', 'N° 12 «x»'].map(isPlain)).toEqual([true, true]);
  expect(['', ' a', 'a\nb', '😀', 'a\u202eb'].map(isPlain)).toEqual(Array(5).fill(false));
});

test('treats any white space as blank', () => {
  expect(isBlank(' \t\n\u00a0\u3000')).toBe(true);
  expect(isBlank(' . ')).toBe(false);
});

test('finds control characters, and line breaks and tabs only where they are forbidden', () => {
  for (const control of ['\0', '\u0007', '\u001b', '\u007f', '\u0085', '\u009f']) {
    expect(hasControl(`a${control}b`, { lineBreaks: true })).toBe(true);
    expect(hasControl(`a${control}b`, { lineBreaks: false })).toBe(true);
  }
  for (const layout of ['\n', '\r\n', '\t']) {
    expect(hasControl(`a${layout}b`, { lineBreaks: true })).toBe(false);
    expect(hasControl(`a${layout}b`, { lineBreaks: false })).toBe(true);
  }
  expect(hasControl('Año « 2026 » 😀', { lineBreaks: false })).toBe(false);
});

test('detects lone surrogates', () => {
  expect(isWellFormed('😀')).toBe(true);
  expect(isWellFormed('\ud83d')).toBe(false);
});

test.each([
  ['Córdoba', 'Cordoba'],
  ['Ñandú Güemes', 'Nandu Guemes'],
  ['“Comillas” ‘simples’ – y…', '"Comillas" \'simples\' - y...'],
  ['Nº 5, 1ª', 'No 5, 1a'],
  ['a\u00a0b\tc\u200bd', 'a b cd'],
  ['Straße Æ €', 'Strasse AE EUR'],
  ['´´', "''"],
  ['¿北京?', '????'],
  ['😀\ud800', '??'],
])('transliterates %j to %j', (text, expected) => {
  expect(toAscii(text)).toBe(expected);
});

test('transliterates any text to printable ASCII, and leaves ASCII unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(toAscii(text)).toMatch(/^[ -~]*$/);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => toAscii(text) === text));
});

test('names characters that change the writing direction, but not joiners or marks', () => {
  for (const code of [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]) {
    const name = `U+${code.toString(16).toUpperCase()}`;
    expect(directionControl(`Ana${String.fromCharCode(code)}x`)).toBe(name);
  }
  for (const sound of [
    'Ana',
    'می\u200cخواهم',
    '👩\u200d🔧',
    'א\u200e\u200f',
    'e\u0301',
    '\u061c',
  ]) {
    expect(directionControl(sound)).toBeNull();
  }
});

test('isolates right-to-left text inside a sentence, and leaves other text unchanged', () => {
  expect(isolated('Ana Pérez (20%)')).toBe('Ana Pérez (20%)');
  expect(isolated('אנה')).toBe('\u2068אנה\u2069');
  expect(isolated('مريم 5')).toBe('\u2068مريم 5\u2069');
  expect(isolated('Ana\u202e\u2069x')).toBe('Anax');
});
