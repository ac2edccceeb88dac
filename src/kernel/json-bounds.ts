/** Limits of a JSON document, checked before it is parsed. */
export interface JsonBounds {
  maxDepth: number;
  /** Maximum number of values, including member names. */
  maxValues: number;
  /** Maximum characters in a number. */
  maxNumberLength: number;
}

const quote = 0x22;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const colon = 0x3a;
const upperE = 0x45;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const lowerE = 0x65;
const openBrace = 0x7b;
const closeBrace = 0x7d;

const isOfNumber = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  byte === dot ||
  byte === lowerE ||
  byte === upperE ||
  byte === minus ||
  byte === plus;

export interface BoundFault {
  bound: 'depth' | 'number' | 'values';
  max: number;
}

/**
 * Counts the nesting and values of JSON. Expects the bytes outside of its strings, and opening
 * quotes.
 */
export class JsonCount {
  /** Open containers. Negative after too many closing brackets. */
  depth = 0;
  readonly #bounds: JsonBounds;
  #values = 0;
  #numberLength = 0;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /** Counts a byte. Returns the exceeded bound, or null. */
  see(byte: number): BoundFault | null {
    if (isOfNumber(byte)) return this.#seeNumber();
    this.#numberLength = 0;
    if (byte === comma || byte === colon) return this.#seeValue();
    if (byte === openBrace || byte === openBracket) {
      this.depth += 1;
      const { maxDepth } = this.#bounds;
      return this.depth <= maxDepth ? this.#seeValue() : { bound: 'depth', max: maxDepth };
    }
    if (byte === closeBrace || byte === closeBracket) this.depth -= 1;
    return null;
  }

  /** Starts another item, which has its own limits. */
  startItem(): void {
    this.#values = 0;
    this.#numberLength = 0;
  }

  #seeNumber(): BoundFault | null {
    this.#numberLength += 1;
    const { maxNumberLength } = this.#bounds;
    return this.#numberLength <= maxNumberLength ? null : { bound: 'number', max: maxNumberLength };
  }

  #seeValue(): BoundFault | null {
    this.#values += 1;
    const { maxValues } = this.#bounds;
    return this.#values <= maxValues ? null : { bound: 'values', max: maxValues };
  }
}

/**
 * Returns a document's exceeded bound and its offset, or null. Makes a single pass before parsing,
 * and yields after each `pieceBytes`.
 */
export function* jsonFault(
  bytes: Uint8Array,
  bounds: JsonBounds,
  pieceBytes: number,
): Generator<undefined, (BoundFault & { at: number }) | null, undefined> {
  const count = new JsonCount(bounds);
  let inString = false;
  let pieceEnd = pieceBytes;
  for (let index = 0; index < bytes.length; index += 1) {
    if (index >= pieceEnd) {
      yield;
      pieceEnd += pieceBytes;
    }
    const byte = bytes[index] ?? 0;
    if (inString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) inString = false;
      continue;
    }
    inString = byte === quote;
    const fault = count.see(byte);
    if (fault !== null) return { ...fault, at: index };
  }
  return null;
}
