import { Parser } from 'saxen';

/** The text is not XML, or contains a piece longer than any spreadsheet program writes. */
export class BrokenXml extends Error {}

/** Maximum number of characters of a tag, and of an encoded text, since `&amp;` takes five. */
const longestTag = 65_536;
const longestText = 6 * 32_767;

/** Receives the parts of a document. Names come without their namespace prefix. */
export interface XmlVisitor {
  open?(name: string, attributes: () => ReadonlyMap<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Rejects long tags and texts, because parsers that read in pieces rescan an unfinished one with
 * each piece.
 */
function refuseLongPieces(xml: string): void {
  let end = 0;
  for (let start = xml.indexOf('<'); start >= 0; start = xml.indexOf('<', end)) {
    if (start - end > longestText) throw new BrokenXml('a text is too long');
    end = xml.indexOf('>', start);
    if (end < 0 || end - start > longestTag) throw new BrokenXml('a tag is too long');
  }
  if (xml.length - end > longestText) throw new BrokenXml('a text is too long');
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Parses a tag's attributes by name without prefix. Omits `xmlns:r`. */
const attributesOf = (
  written: Record<string, string>,
  decode: (text: string) => string,
): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(written)
      .filter(([name]) => !name.startsWith('xmlns'))
      .map(([name, value]) => [local(name), decode(value)]),
  );

/** .NET writes it before UTF-8. */
const byteOrderMark = '\ufeff';

/** Walks through XML once. Throws BrokenXml. */
export function walkXml(xml: string, { open, close, text }: XmlVisitor): void {
  refuseLongPieces(xml);
  const parser = new Parser();
  const refuseLong = (piece: string): void => {
    if (piece.length > longestText) throw new BrokenXml('a comment is too long');
  };
  parser.on('comment', refuseLong).on('cdata', refuseLong);
  parser.on('error', ({ message }) => {
    throw new BrokenXml(message);
  });
  if (open) {
    parser.on('openTag', (name, attributes, decode) =>
      open(local(name), () => attributesOf(attributes(), decode)),
    );
  }
  if (close) parser.on('closeTag', (name) => close(local(name)));
  if (text) parser.on('text', (raw, decode) => text(decode(raw)));
  parser.parse(xml.startsWith(byteOrderMark) ? xml.slice(1) : xml);
}
