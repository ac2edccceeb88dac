import { parseDayOrIso } from './dates.ts';
import { type Centavos, centavos } from './money.ts';
import { toAscii } from './text.ts';

/** A run of columns: how a value is written there, and how it is read back. */
export interface Field<T> {
  readonly length: number;
  /** What may stand there, for messages and documents: `11 digits`. */
  readonly expected: string;
  /** Exactly `length` characters. Throws RangeError when the value does not fit. */
  encode(value: T): string;
  /** Null when something else stands there. */
  decode(text: string): { value: T } | null;
}

/** A field that says nothing: always the same text, or text that nobody reads. */
export type Mute = Field<undefined>;

/** The fields of a record by name, in the order of their columns. */
export type Layout = Readonly<Record<string, Field<unknown>>>;

/** The values of a record; mute fields have none. */
export type ValuesOf<L extends Layout> = {
  [K in keyof L as L[K] extends Mute ? never : K]: L[K] extends Field<infer T> ? T : never;
};

/** What is wrong with a line; columns count from 1, both inclusive. */
export interface RecordFault {
  readonly from: number;
  readonly to: number;
  /** Null: the line as a whole. */
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
  /** Reads a line strictly; the first fault, from the left, is told. */
  decode(line: string): DecodedRecord<ValuesOf<L>>;
  /** The fault of a field that can be read and says the wrong thing. */
  faultAt(field: keyof L & string, line: string, expected: string): RecordFault;
}

/** Makes a record of its fields. Throws when they do not fill the length exactly. */
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
      if (line.length !== length) return { ok: false, fault: lengthFault(line, length) };
      const values: Record<string, unknown> = {};
      for (const { name, field, from, to } of placed) {
        const read = field.decode(line.slice(from - 1, to));
        if (read === null) return { ok: false, fault: faultAt(name, line, field.expected) };
        if (read.value !== undefined) values[name] = read.value;
      }
      return { ok: true, values: values as ValuesOf<L> };
    },
    faultAt,
  };
}

/** Names the field whose value does not fit. */
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

const misfit = (value: unknown, expected: string): RangeError =>
  new RangeError(`${JSON.stringify(value)} does not fit: ${expected} expected.`);

/** Always the same text. */
export const constant = (text: string): Mute => ({
  length: text.length,
  expected: `\`${text}\``,
  encode: () => text,
  decode: (found) => (found === text ? { value: undefined } : null),
});

/** Columns without meaning in a file that we write. */
export const filler = (length: number, of: ' ' | '0'): Mute => ({
  ...constant(of.repeat(length)),
  expected: of === ' ' ? 'spaces' : 'zeros',
});

/** Columns of a file that we get in which anything may stand. */
export const unread = (length: number): Mute => ({
  length,
  expected: 'anything, not read',
  encode: () => ' '.repeat(length),
  decode: () => ({ value: undefined }),
});

const onlyDigits = /^\d+$/;

/** Digits kept as a text, zeros to the left. */
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

/** A count, zeros to the left. */
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

/** An amount in centavos without a point: the last two digits are decimals. */
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

/** How a day is written, in the letters of the vendors: A year, M month, D day. */
export type DayFormat = 'AAAAMMDD' | 'AAMMDD';

/** A day of the calendar; two digits of a year are of this century. */
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

/** The same with zeros for null. */
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

// Latin-1 without its control characters; files come in it.
const printable = /^[ -~\u00a0-\u00ff]*$/;
const printableAscii = /^[ -~]*$/;

/** A code or name, kept as it is, spaces to the right. Longer than its columns it does not fit. */
export const text = (length: number): Field<string> => {
  const expected = `${length} characters of text`;
  return {
    length,
    expected,
    encode(value) {
      if (!printableAscii.test(value) || value.length > length) throw misfit(value, expected);
      return value.padEnd(length, ' ');
    },
    decode: (found) => (printable.test(found) ? { value: found.replace(/ +$/, '') } : null),
  };
};

/** Words for people: transliterated, upper case, letters and digits alone, cut to the columns. */
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
