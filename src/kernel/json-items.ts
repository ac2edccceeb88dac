// Longer than 300 lines: one machine reads bytes in one pass, and its states belong together.
import { parseJson } from './json.ts';
import { type BoundFault, type JsonBounds, JsonCount } from './json-bounds.ts';
import { duplicateName } from './json-duplicates.ts';
import { MalformedDocument, TooManyItems } from './malformed-document.ts';

/** Reads a JSON object whose member `list` is a long array, in pieces and never as a whole. */
export interface ItemReader {
  /**
   * Returns the items that these bytes complete, parsed by `parseJson`. Pieces may split anywhere,
   * and their memory may be reused afterwards. Throws MalformedDocument for an invalid item, an
   * exceeded limit, or anything outside of one object.
   */
  push(bytes: Uint8Array): unknown[];
  /**
   * Returns the other members and the number of items, null without a list. Throws
   * MalformedDocument if the document is incomplete or, outside of the list, invalid.
   */
  end(): { members: Record<string, unknown>; count: number | null };
}

/** The limits apply to each item, and to the document outside the list. */
export interface ItemReaderOptions extends JsonBounds {
  list: string;
  maxItems: number;
  /** Maximum bytes of one item with surrounding white space, and of everything outside the list. */
  maxItemBytes: number;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const byteOrderMark = [0xef, 0xbb, 0xbf];

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const strictUtf8AfterMark = new TextDecoder('utf-8', { fatal: true });

const tooMuch = (fault: BoundFault, offset: number): MalformedDocument =>
  new MalformedDocument('bound', { ...fault, at: offset }, offset);

const cutAt = (offset: number): MalformedDocument =>
  new MalformedDocument('ends_early', { at: offset }, offset);

/** Creates a reader of strict JSON (RFC 8259) in UTF-8, with or without a byte order mark. */
export function createItemReader(options: ItemReaderOptions): ItemReader {
  const envelope = new Envelope(options);
  const list = new List(options);
  let inList = false;
  let offset = 0;
  return {
    push(bytes) {
      const items: unknown[] = [];
      let index = 0;
      while (index < bytes.length) {
        if (inList) {
          index = list.read(bytes, index, offset, items);
          inList = index === bytes.length;
        } else {
          index = envelope.read(bytes, index, offset);
          inList = envelope.openedList;
        }
      }
      offset += bytes.length;
      return items;
    },
    end() {
      if (inList) throw cutAt(offset);
      const members = envelope.members(offset);
      return { members, count: envelope.listWasOpened ? list.count : null };
    },
  };
}

/** Reads the document outside the list's items. It is JSON by itself. */
class Envelope {
  /** True if the last byte opened the list. */
  openedList = false;
  listWasOpened = false;
  readonly #options: ItemReaderOptions;
  readonly #seen: JsonCount;
  #bytes = new Uint8Array(256);
  #length = 0;
  #wasOpened = false;
  #inString = false;
  #escaped = false;
  #stringStart = 0;
  /** The end of the string if it is the last token, else 0. */
  #stringEnd = 0;
  #listNamed = false;
  #listValueNext = false;

  constructor(options: ItemReaderOptions) {
    this.#options = options;
    this.#seen = new JsonCount(options);
  }

  /** Reads to the first item of the list or the end of the piece. Returns the position. */
  read(bytes: Uint8Array, from: number, offset: number): number {
    this.openedList = false;
    for (let index = from; index < bytes.length; index += 1) {
      const byte = bytes[index] ?? 0;
      this.#append(byte, offset + index);
      if (this.#inString) this.#readInString(byte);
      else if (!isSpace(byte)) this.#readToken(byte, offset + index);
      if (this.openedList) return index + 1;
    }
    return bytes.length;
  }

  members(offset: number): Record<string, unknown> {
    if (this.#seen.depth > 0 || !this.#wasOpened) throw cutAt(offset);
    const { list } = this.#options;
    const members = this.#parse(offset);
    if (this.#listNamed && !this.listWasOpened) {
      throw new MalformedDocument('list_not_array', { list }, offset);
    }
    delete members[list];
    return members;
  }

  #parse(offset: number): Record<string, unknown> {
    let text: string;
    let members: Record<string, unknown>;
    try {
      text = strictUtf8AfterMark.decode(this.#bytes.subarray(0, this.#length));
      // The first token was a brace, so the parsed value is an object.
      members = parseJson(text) as Record<string, unknown>;
    } catch {
      const outside = this.listWasOpened ? 'yes' : 'no';
      throw new MalformedDocument('not_json', { outside, list: this.#options.list }, offset);
    }
    refuseTwice(text, members, offset);
    return members;
  }

  #append(byte: number, offset: number): void {
    const { maxItemBytes, list } = this.#options;
    if (this.#length === maxItemBytes) {
      throw new MalformedDocument('rest_too_large', { list, max: maxItemBytes }, offset);
    }
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  #readInString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) {
      this.#inString = false;
      this.#stringEnd = this.#length;
    }
  }

  #readToken(byte: number, offset: number): void {
    if (this.#seen.depth === 0) this.#checkOutermost(byte, offset);
    const fault = this.#seen.see(byte);
    if (fault !== null) throw tooMuch(fault, offset);
    const opensList = this.#listValueNext && byte === openBracket;
    this.#listValueNext = false;
    const nameEnd = this.#stringEnd;
    this.#stringEnd = 0;
    if (byte === quote) {
      this.#inString = true;
      this.#stringStart = this.#length - 1;
    } else if (opensList) {
      this.openedList = true;
      this.listWasOpened = true;
    } else if (byte === colon && this.#seen.depth === 1 && this.#isListName(nameEnd)) {
      this.#nameList(offset);
    }
  }

  /** Outside of the object, allows only its opening brace and a byte order mark at the start. */
  #checkOutermost(byte: number, offset: number): void {
    if (this.#wasOpened) {
      throw new MalformedDocument('more_follows', { at: offset }, offset);
    }
    this.#wasOpened = byte === openBrace;
    if (this.#wasOpened || byte === byteOrderMark[offset]) return;
    throw new MalformedDocument('not_object', { at: offset }, offset);
  }

  #isListName(end: number): boolean {
    if (end === 0) return false;
    try {
      const text = strictUtf8.decode(this.#bytes.subarray(this.#stringStart, end));
      return JSON.parse(text) === this.#options.list;
    } catch {
      return false;
    }
  }

  #nameList(offset: number): void {
    const { list } = this.#options;
    if (this.#listNamed) {
      throw new MalformedDocument('list_twice', { list, at: offset }, offset);
    }
    this.#listNamed = true;
    this.#listValueNext = true;
  }
}

/** Splits items at their commas and parses them in batches, which also checks their syntax. */
class List {
  count = 0;
  readonly #options: ItemReaderOptions;
  readonly #seen: JsonCount;
  /** The start of an item that continues in the next piece. */
  readonly #cut = new Gathered();
  /** Scanned length of the partial item, plus one if a backslash in a string ends it. */
  #searched = 0;
  #inString = false;

  constructor(options: ItemReaderOptions) {
    this.#options = options;
    this.#seen = new JsonCount(options);
  }

  /** Reads to the list's closing bracket or the end of the piece. Returns the position. */
  read(bytes: Uint8Array, from: number, pieceOffset: number, items: unknown[]): number {
    const cut = this.#cut.length;
    const fresh = bytes.subarray(from);
    const text = cut === 0 ? fresh : this.#cut.with(fresh);
    const offset = pieceOffset + from - cut;
    const ends: number[] = [];
    const stop = this.#search(text, offset, ends);
    const closed = stop < text.length;
    const whole = ends.at(-1) ?? -1;
    if (whole >= 0 && !(closed && this.#isEmpty(text, ends))) {
      this.#parse(text, offset, ends, items);
    }
    if (closed) this.#cut.start(noBytes);
    // Otherwise `with` has appended the piece, so a long item is not copied again with each piece.
    else if (whole >= 0 || cut === 0) this.#cut.start(text.subarray(whole + 1));
    this.#searched = closed ? 0 : stop - whole - 1;
    return closed ? from + stop - cut : bytes.length;
  }

  /** Finds items' ends. Returns the list's end, or at least the text's length if it goes on. */
  #search(text: Uint8Array, offset: number, ends: number[]): number {
    const { maxItemBytes } = this.#options;
    const seen = this.#seen;
    let { index, start, inString } = { index: this.#searched, start: 0, inString: this.#inString };
    for (; index < text.length; index += 1) {
      const byte = text[index] ?? 0;
      if (inString) {
        if (byte === quote) inString = false;
        else if (byte === backslash) index += 1;
        continue;
      }
      if (byte === quote) inString = true;
      if (seen.depth === 0 && (byte === comma || byte === closeBracket)) {
        if (index - start > maxItemBytes) throw this.#tooLong(ends.length, offset + start);
        ends.push(index);
        start = index + 1;
        seen.startItem();
        if (byte === closeBracket) break;
        continue;
      }
      const fault = seen.see(byte);
      if (fault !== null) throw tooMuch(fault, offset + index);
      if (seen.depth < 0) {
        const at = offset + index;
        throw new MalformedDocument('brace_unopened', { at }, at);
      }
    }
    if (index >= text.length && index - start > maxItemBytes) {
      throw this.#tooLong(ends.length, offset + start);
    }
    this.#inString = inString;
    return index;
  }

  #isEmpty(text: Uint8Array, ends: number[]): boolean {
    return this.count === 0 && ends.length === 1 && text.subarray(0, ends[0]).every(isSpace);
  }

  #parse(text: Uint8Array, offset: number, ends: number[], items: unknown[]): void {
    const { maxItems, list } = this.#options;
    const found = parsedList(text.subarray(0, ends.at(-1)));
    if (found?.items.length !== ends.length) throw this.#firstFault(text, offset, ends);
    refuseTwice(found.text, found.items, offset);
    this.count += found.items.length;
    if (this.count > maxItems) {
      throw new TooManyItems('too_many_items', { list, max: maxItems }, offset);
    }
    for (const item of found.items) items.push(item);
  }

  /** Finds the fault in items that together are invalid JSON. */
  #firstFault(text: Uint8Array, offset: number, ends: number[]): MalformedDocument {
    let start = 0;
    for (const [nth, end] of ends.entries()) {
      if (parsedList(text.subarray(start, end))?.items.length !== 1) {
        const index = this.count + nth;
        const at = offset + start;
        return new MalformedDocument('item_not_json', { index, at }, at);
      }
      start = end + 1;
    }
    throw new Error('items that are JSON one by one are not so together');
  }

  #tooLong(nth: number, offset: number): MalformedDocument {
    const { maxItemBytes } = this.#options;
    const index = this.count + nth;
    return new MalformedDocument(
      'item_too_large',
      { index, at: offset, max: maxItemBytes },
      offset,
    );
  }
}

const noBytes = new Uint8Array(0);

/** Collects bytes in a buffer that doubles, so that the cost of copying stays linear. */
class Gathered {
  length = 0;
  #bytes = noBytes;

  /** Appends a piece and returns all bytes. Valid until the next call. */
  with(more: Uint8Array): Uint8Array {
    const length = this.length + more.length;
    if (length > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      longer.set(this.#bytes.subarray(0, this.length));
      this.#bytes = longer;
    }
    this.#bytes.set(more, this.length);
    this.length = length;
    return this.#bytes.subarray(0, length);
  }

  /** Starts over with a copy of these bytes, because the caller may reuse the piece. */
  start(bytes: Uint8Array): void {
    this.#bytes = new Uint8Array(bytes);
    this.length = bytes.length;
  }
}

/** Rejects duplicate members, because parsers differ on which one counts. */
function refuseTwice(text: string, parsed: unknown, offset: number): void {
  const twice = duplicateName(text, parsed);
  if (twice === null) return;
  const name = JSON.stringify(twice.slice(0, 40).toWellFormed());
  throw new MalformedDocument('name_twice', { name }, offset);
}

/** Parses the items between the brackets of a list. Returns null if they are not JSON. */
function parsedList(bytes: Uint8Array): { text: string; items: unknown[] } | null {
  try {
    const text = `[${strictUtf8.decode(bytes)}]`;
    return { text, items: parseJson(text) as unknown[] };
  } catch {
    return null;
  }
}
