import { createReadStream } from 'node:fs';

/**
 * How a spreadsheet wrote a file. No library guesses better: a text with an accent that is good
 * UTF-8 is UTF-8, and what Excel writes without saying so is Windows-1252. Whatever tells of a third
 * encoding is refused, because names would be printed wrong.
 */
export type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252';

/** Bytes that Windows-1252 leaves free. */
const free: readonly number[] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
/** Whether no text in Windows-1252 has this byte: free, or a control that parts no lines. */
const isNoText = (byte: number): boolean =>
  byte < 0x09 || (byte > 0x0d && byte < 0x20) || free.includes(byte);
/** Letters of the DOS and Macintosh code pages, read as Windows-1252, between letters. */
const otherCodePage = /\p{L}[¢£¤¡‚‡Ž][\p{L}\s]/u;

const unreadable = new Error('The file is neither UTF-8 nor Windows-1252: save it as "CSV UTF-8".');

async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of createReadStream(path)) decoder.decode(bytes, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The encoding of a file, which is read whole for it. Throws a sentence for one that is not read. */
export async function encodingOf(path: string): Promise<Encoding> {
  for await (const head of createReadStream(path, { end: 1 })) {
    if (Buffer.from(head).equals(Buffer.from([0xff, 0xfe]))) return 'utf-16le';
  }
  if (await isUtf8(path)) return 'utf-8';
  for await (const bytes of createReadStream(path)) {
    if ((bytes as Buffer).some(isNoText)) throw unreadable;
  }
  for await (const text of textOf(path, 'windows-1252')) {
    if (otherCodePage.test(text)) throw unreadable;
  }
  return 'windows-1252';
}

/** The text of a file in pieces, without the mark of its encoding. */
export async function* textOf(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
  for await (const bytes of createReadStream(path)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}
