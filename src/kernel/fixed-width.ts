// Longer than 300 lines: the codec of records, and each kind of field.
import { parseDayOrIso } from './dates.ts';
import { type Centavos, centavos } from './money.ts';
import { printable, toAscii } from './text.ts';

/** Reads and writes a value in a range of columns. */
export interface Field<T> {
  readonly length: number;
  /** The allowed values, for messages and documentation: `11 digits`. */
  readonly expected: string;
  /** True if trailing blanks may be missing. Numbers need their full length. */
  readonly isText?: true;
  /** Returns exactly `length` characters. Throws RangeError if the value does not fit. */
  encode(value: T): string;
  /** Returns null for invalid text. */
  decode(text: string): { value: T } | null;
}

/** A field without a value: constant or ignored text. */
export type Mute = Field<undefined>;

/** Fields of a record by name, in the order of their columns. */
export type Layout = Readonly<Record<string, Field<unknown>>>;

/** Values of a record. Mute fields have none. */
export type ValuesOf<L extends Layout> = {
  [K in keyof L as L[K] extends Mute ? never : K]: L[K] extends Field<infer T> ? T : never;
};

/** A fault in a line. Columns count from 1, both inclusive. */
export interface RecordFault {
  readonly from: number;
  readonly to: number;
  /** Null for the line as a whole. */
  readonly field: string | null;
  readonly found: string;
  readonly expected: string;
}

export type DecodedRecord<V> =
  | { readonly ok: true; readonly values: V }
  | { readonly ok: false; readonly fault: RecordFault };

interface PlacedField {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly expected: string;
}

/** A line of fixed length. */
export interface FixedRecord<L extends Layout> {
  readonly length: number;
  readonly fields: readonly PlacedField[];
  encode(values: ValuesOf<L>): string;
  /**
   * Decodes a line of Latin-1. Restores trailing blanks of text fields, and reads a line that is
   * too long as UTF-8. Reports the leftmost fault.
   */
  decode(line: string): DecodedRecord<ValuesOf<L>>;
  /** Describes a well-formed field with a wrong value. */
  faultAt(field: keyof L & string, line: string, expected: string): RecordFault;
}

/** Creates a record from its fields. Throws unless their lengths add up to `length`. */
export function fixedRecord<const L extends Layout>(length: number, layout: L): FixedRecord<L> {
  let next = 1;
  const placed = Object.entries(layout).map(([name, field]) => {
    const from = next;
    next += field.length;
    return { name, field, from, to: next - 1, expected: field.expected };
  });
  if (next - 1 !== length) throw new Error(`fields of ${next - 1} columns in a line of ${length}`);
  const faultAt = (name: string, line: string, expected: string): RecordFault => {
    const place = placed.find((one) => one.name === name);
    if (!place) throw new Error(`there is no field ${name}`);
    const { from, to } = place;
    return { from, to, field: name, found: line.slice(from - 1, to), expected };
  };
  return {
    length,
    fields: placed.map(({ name, from, to, expected }) => ({ name, from, to, expected })),
    encode: (values) =>
      placed
        .map(({ name, field }) => fitted(name, field, (values as Record<string, unknown>)[name]))
        .join(''),
    decode(line) {
      const whole = wholeLine(line, length);
      const isCut = placed.some(({ field, to }) => to > line.length && !field.isText);
      if (whole === null || (isCut && line.length < length)) {
        return { ok: false, fault: lengthFault(line, length) };
      }
      const values: Record<string, unknown> = {};
      for (const { name, field, from, to } of placed) {
        const read = field.decode(whole.slice(from - 1, to));
        if (read === null) return { ok: false, fault: faultAt(name, whole, field.expected) };
        if (read.value !== undefined) values[name] = read.value;
      }
      return { ok: true, values: values as ValuesOf<L> };
    },
    faultAt,
  };
}

/** Encodes a value. Adds the field's name to the error if it does not fit. */
function fitted(name: string, field: Field<unknown>, value: unknown): string {
  try {
    return field.encode(value);
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`${name}: ${error.message}`) : error;
  }
}

const lengthFault = (line: string, length: number): RecordFault => ({
  from: 1,
  to: Math.max(line.length, 1),
  field: null,
  found: `${line.length} characters`,
  expected: `${length} characters`,
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes the bytes of Latin-1 text as UTF-8. Returns null if they are not UTF-8. */
function asUtf8(line: string): string | null {
  try {
    return utf8.decode(Buffer.from(line, 'latin1'));
  } catch {
    return null;
  }
}

/**
 * Pads a line to its full length, because transfers trim trailing blanks. Decodes a longer line as
 * UTF-8, which needs more bytes than the layout has columns. Returns null if it is still too long.
 */
function wholeLine(line: string, length: number): string | null {
  if (line.length <= length) return line.padEnd(length, ' ');
  const decoded = asUtf8(line);
  return decoded !== null && decoded.length <= length ? decoded.padEnd(length, ' ') : null;
}

const misfit = (value: unknown, expected: string): RangeError =>
  new RangeError(`${JSON.stringify(value)} does not fit: ${expected} expected.`);

export const constant = (text: string): Mute => ({
  length: text.length,
  expected: `\`${text}\``,
  encode: () => text,
  decode: (found) => (found === text ? { value: undefined } : null),
});

const folded = (text: string): string => text.trim().replace(/ +/g, ' ').toUpperCase();

/** A constant label. Decoding ignores case and extra blanks. */
export const label = (text: string): Mute => ({
  ...constant(text),
  decode: (found) => (folded(found) === folded(text) ? { value: undefined } : null),
});

/** Unused columns of outgoing files. */
export const filler = (length: number, of: ' ' | '0'): Mute => ({
  ...constant(of.repeat(length)),
  expected: of === ' ' ? 'spaces' : 'zeros',
});

/** Ignored columns of incoming files. */
export const unread = (length: number): Mute => ({
  length,
  expected: 'anything, not read',
  isText: true,
  encode: () => ' '.repeat(length),
  decode: () => ({ value: undefined }),
});

const onlyDigits = /^\d+$/;

/** Digits as text, zero-padded on the left. */
export const digits = (length: number): Field<string> => {
  const expected = `${length} digits`;
  return {
    length,
    expected,
    encode(value) {
      if (!onlyDigits.test(value) || value.length > length) throw misfit(value, expected);
      return value.padStart(length, '0');
    },
    decode: (text) => (onlyDigits.test(text) ? { value: text } : null),
  };
};

/** An identifier from a network: digits or capital letters in every column. */
export const identifier = (length: number): Field<string> => {
  const expected = `${length} digits or capital letters`;
  const shape = /^[0-9A-Z]+$/;
  return {
    length,
    expected,
    encode(value) {
      if (!shape.test(value) || value.length !== length) throw misfit(value, expected);
      return value;
    },
    decode: (found) => (shape.test(found) ? { value: found } : null),
  };
};

/** A whole number, zero-padded on the left. */
export const wholeNumber = (length: number): Field<number> => {
  const own = digits(length);
  return {
    ...own,
    encode: (value) => own.encode(String(value)),
    decode(text) {
      const value = onlyDigits.test(text) ? Number(text) : Number.NaN;
      return Number.isSafeInteger(value) ? { value } : null;
    },
  };
};

/** An amount in centavos without a decimal point. */
export const amount = (length: number): Field<Centavos> => {
  const own = wholeNumber(length);
  return {
    ...own,
    expected: `${length} digits, the last two of them decimals`,
    decode(text) {
      const read = own.decode(text);
      return read && { value: centavos(read.value) };
    },
  };
};

/** Date formats in the vendors' letters: A year, M month, D day. */
export type DayFormat = 'AAAAMMDD' | 'AAMMDD';

/** A calendar day. Two-digit years are in this century. */
export const day = (format: DayFormat): Field<Temporal.PlainDate> => {
  const expected = `a day as ${format}`;
  return {
    length: format.length,
    expected,
    encode(value) {
      const text = value.toString().replaceAll('-', '');
      const written = format === 'AAMMDD' && text.startsWith('20') ? text.slice(2) : text;
      if (written.length !== format.length) throw misfit(value.toString(), expected);
      return written;
    },
    decode(text) {
      const full = format === 'AAMMDD' ? `20${text}` : text;
      const value = parseDayOrIso(`${full.slice(0, 4)}-${full.slice(4, 6)}-${full.slice(6)}`);
      return value && { value };
    },
  };
};

/** Makes a field nullable. Null is written as zeros. */
export const orZeros = <T>(field: Field<T>): Field<T | null> => {
  const zeros = '0'.repeat(field.length);
  return {
    length: field.length,
    expected: `${field.expected}, or zeros`,
    encode: (value) => (value === null ? zeros : field.encode(value)),
    decode: (text) => (text === zeros ? { value: null } : field.decode(text)),
  };
};

/** Hour and minute, HHMM. */
export const timeOfDay = (): Field<Temporal.PlainTime> => ({
  length: 4,
  expected: 'a time of day as HHMM',
  encode: (value) => value.toString().slice(0, 5).replace(':', ''),
  decode(text) {
    const [, hour, minute] = /^([01]\d|2[0-3])([0-5]\d)$/.exec(text) ?? [];
    if (hour === undefined || minute === undefined) return null;
    return { value: new Temporal.PlainTime(Number(hour), Number(minute)) };
  },
});

const printableAscii = /^[ -~]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals leave them behind a code
const controls = /[\x00-\x1f\x7f]/;

/**
 * A code or name, space-padded on the right. Throws if it is not printable ASCII or is longer than
 * its columns. Decodes unprintable characters as `?`, so that they match nothing but do not stop a
 * file.
 */
export const text = (length: number): Field<string> => {
  const expected = `${length} characters of text`;
  return {
    length,
    expected,
    isText: true,
    encode(value) {
      if (!printableAscii.test(value) || value.length > length) throw misfit(value, expected);
      return value.padEnd(length, ' ');
    },
    decode: (found) => ({ value: printable(found).trimEnd() }),
  };
};

/** A scanned code, and whether control characters follow it in its columns. */
export interface ScannedCode {
  text: string;
  hasControls: boolean;
}

/** A scanned code. It ends at the first control character, because terminals append some. */
export const scannedCode = (length: number): Field<ScannedCode> => {
  const own = text(length);
  return {
    ...own,
    expected: `a code of up to ${length} characters, ended by a control character if there is one`,
    encode: ({ text: code }) => own.encode(code),
    decode(found) {
      const end = found.search(controls);
      const code = end === -1 ? found : found.slice(0, end);
      return { value: { text: own.decode(code)?.value ?? '', hasControls: end !== -1 } };
    },
  };
};

/**
 * Text for people: transliterated to upper-case letters and digits, and truncated to the columns.
 */
export const words = (length: number): Field<string> => ({
  ...text(length),
  encode: (value) =>
    toAscii(value)
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, ' ')
      .trim()
      .slice(0, length)
      .padEnd(length, ' '),
});
