import { cbuFault } from '../../kernel/cbu.ts';
import { day, type Field, type FixedRecord, type Layout } from '../../kernel/fixed-width.ts';

export type LayoutOf<R> = R extends FixedRecord<infer L extends Layout> ? L : never;

/** Makes a field nullable, written as spaces. */
export const orSpaces = <T>(field: Field<T>): Field<T | null> => {
  const spaces = ' '.repeat(field.length);
  return {
    length: field.length,
    expected: `${field.expected}, or spaces`,
    encode: (value) => (value === null ? spaces : field.encode(value)),
    decode: (text) => (text === spaces ? { value: null } : field.decode(text)),
  };
};

/** Makes a field nullable, written as spaces. Also reads zeros as null. */
export const orNothing = <T>(field: Field<T>): Field<T | null> => {
  const own = orSpaces(field);
  const zeros = '0'.repeat(field.length);
  return {
    ...own,
    expected: `${field.expected}, or zeros or spaces`,
    decode: (text) => (text === zeros ? { value: null } : own.decode(text)),
  };
};

const sixDigits = /^(\d{2})(\d{2})(\d{2})$/;

/** A date as DDMMYY, in this century. */
export const dayFirst = (): Field<Temporal.PlainDate> => {
  const expected = 'a day as DDMMAA';
  const own = day('AAMMDD');
  const turned = (text: string): string => text.replace(sixDigits, '$3$2$1');
  return {
    length: 6,
    expected,
    encode(value) {
      if (value.year < 2000 || value.year > 2099) {
        throw new RangeError(`"${value.toString()}" does not fit: ${expected} expected.`);
      }
      return turned(own.encode(value));
    },
    decode: (text) => own.decode(turned(text)),
  };
};

const blocks = /^0(\d{8})000(\d{14})$/;

/** Parses a CBU in clearing format. Returns null if it is malformed or a check digit is wrong. */
export function cbuInClearing(text: string): string | null {
  const [, first = '', second = ''] = blocks.exec(text) ?? [];
  return cbuFault(first + second) === null ? first + second : null;
}

/** A CBU in clearing format: 0, its first block, 000, its second block. */
export const clearingCbu = (): Field<string> => {
  const expected = '0, 8 digits of a CBU, 000, its other 14';
  return {
    length: 26,
    expected,
    encode(value) {
      if (cbuFault(value) !== null) throw new RangeError(`"${value}" is not a CBU.`);
      return `0${value.slice(0, 8)}000${value.slice(8)}`;
    },
    decode(text) {
      const value = cbuInClearing(text);
      return value === null ? null : { value };
    },
  };
};

export const oneOf = <const T extends string>(...texts: readonly T[]): Field<T> => {
  const expected = texts.map((text) => `\`${text}\``).join(' or ');
  const read = (text: string): { value: T } | null => {
    const value = texts.find((one) => one === text);
    return value === undefined ? null : { value };
  };
  return {
    length: texts[0]?.length ?? 0,
    expected,
    encode(value) {
      if (!read(value)) throw new RangeError(`"${value}" does not fit: ${expected} expected.`);
      return value;
    },
    decode: read,
  };
};

/** Longest card number in the processor's files. */
export const longestCardNumber = 16;

/** Removes the zeros that pad shorter card numbers. */
export const cardDigits = (text: string): string => text.replace(/^0{1,4}/, '');

/** A card number, zero-padded on the left. Errors never repeat the number. */
export const cardNumber = (): Field<string> => ({
  length: longestCardNumber,
  expected: 'a card number of up to 16 digits',
  encode(value) {
    if (!/^\d{12,16}$/.test(value)) {
      throw new RangeError(
        `A card number of ${value.length} digits does not fit: the field has room for 16.`,
      );
    }
    return value.padStart(16, '0');
  },
  decode(text) {
    const value = cardDigits(text);
    return /^\d{16}$/.test(text) && value.length >= 12 ? { value } : null;
  },
});
