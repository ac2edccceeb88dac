import type { Refusal } from '../errors.ts';
import { refusal } from './codes.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252';

/** Bytes unassigned in Windows-1252. */
const free: readonly number[] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
/**
 * Returns true for a byte that no Windows-1252 text contains: unassigned, or a control other than
 * white space.
 */
const isNoText = (byte: number): boolean =>
  byte < 0x09 || (byte > 0x0d && byte < 0x20) || free.includes(byte);
/** Letters of DOS and Macintosh code pages, misread as Windows-1252, between letters. */
const otherCodePage = /\p{L}[¢£¤¡‚‡Ž][\p{L}\s]/u;

const unreadable = (): Refusal => refusal('spreadsheet.unknown_encoding', {});

const decode = (bytes: Uint8Array, encoding: Encoding, fatal = false): string =>
  new TextDecoder(encoding, { fatal }).decode(bytes);

function utf8Of(bytes: Uint8Array): string | null {
  try {
    return decode(bytes, 'utf-8', true);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/**
 * Decodes a file and drops its byte order mark. Accented text that is valid UTF-8 is UTF-8, and
 * other unmarked text is Windows-1252, as from Excel; no library guesses better. Throws a Refusal
 * for characters of a third encoding, because names would be misprinted.
 */
export function textOf(bytes: Uint8Array): { text: string; encoding: Encoding } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { text: decode(bytes, 'utf-16le'), encoding: 'utf-16le' };
  }
  const utf8 = utf8Of(bytes);
  if (utf8 !== null) return { text: utf8, encoding: 'utf-8' };
  if (bytes.some(isNoText)) throw unreadable();
  const text = decode(bytes, 'windows-1252');
  if (otherCodePage.test(text)) throw unreadable();
  return { text, encoding: 'windows-1252' };
}
