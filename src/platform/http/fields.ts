// Longer than 300 lines: each kind of field, with the faults that it names.
import { holdsCardNumber } from '../../kernel/card-text.ts';
import { parseDay, parseDayOrIso, readMoment } from '../../kernel/dates.ts';
import { isEmail, longestEmail } from '../../kernel/email.ts';
import { hasForbiddenText, jsonDepth } from '../../kernel/json.ts';
import {
  type Centavos,
  centavos,
  maxSumDigits,
  parseAmount,
  toJsonNumber,
} from '../../kernel/money.ts';
import {
  directionControl,
  hasControl,
  isBlank,
  isPlain,
  isWellFormed,
  lengthOf,
} from '../../kernel/text.ts';
import type { LocalizedText } from '../../language/localized-text.ts';
import { noteCardIn } from '../postgres/deadlines.ts';
import { amountOf } from '../spreadsheets/cells.ts';
import { fault } from './codes.ts';
import { type Field, fail, list, type Parsed, wrongType } from './form.ts';

interface TextBounds {
  max: number;
  min?: number;
  /** Allows line breaks and tabs, as in descriptions. */
  lineBreaks?: boolean;
}

/** Text, stored as sent. Its length counts Unicode code points. */
export function text({ max, min = 1, lineBreaks = false }: TextBounds): Field<string> {
  const expectation = fault('field.text', { min, max });
  return {
    schema: { type: 'string', minLength: min, maxLength: max },
    expectation,
    parse(value) {
      if (typeof value !== 'string') return wrongType('text', value);
      if (isPlain(value) && value.length >= min && value.length <= max) return { ok: true, value };
      if (isBlank(value)) return fail(fault('field.blank', { wanted: expectation }));
      if (!isWellFormed(value)) return fail(fault('field.not_unicode', {}));
      if (hasControl(value, { lineBreaks })) {
        return fail(fault('field.control_characters', { lines: lineBreaks ? 'yes' : 'no' }));
      }
      const found = directionControl(value);
      if (found !== null) return fail(fault('field.direction_characters', { found }));
      const length = lengthOf(value);
      if (length < min) return fail(fault('field.too_short', { min }));
      if (length > max) return fail(fault('field.too_long', { max, length }));
      return { ok: true, value };
    },
  };
}

/** A single line that people type. Trims spaces. */
export function line({ max }: { max: number }): Field<string> {
  const base = text({ max });
  return {
    ...base,
    parse: (value) => base.parse(typeof value === 'string' ? value.trim() : value),
  };
}

/** Text for people. Rejects card numbers. */
export function prose(bounds: TextBounds): Field<string> {
  const base = text(bounds);
  return {
    ...base,
    parse(value) {
      const parsed = base.parse(value);
      return parsed.ok && holdsCardNumber(parsed.value)
        ? fail(fault('field.card_number', {}))
        : parsed;
    },
  };
}

/** A caller's own reference. Accepts any digits, but a card number raises an alarm. */
export function reference(): Field<string> {
  const base = text({ max: 255 });
  return {
    ...base,
    parse(value) {
      const parsed = base.parse(value);
      if (parsed.ok && holdsCardNumber(parsed.value)) noteCardIn('external_reference');
      return parsed;
    },
  };
}

/** A text that must also pass a test. */
const textThat = (
  bounds: TextBounds,
  schema: Record<string, unknown>,
  test: (value: string) => boolean,
  message: LocalizedText,
): Field<string> => {
  const base = text(bounds);
  return {
    schema: { ...base.schema, ...schema },
    expectation: message,
    parse(value) {
      const parsed = base.parse(value);
      return !parsed.ok || test(parsed.value) ? parsed : fail(message);
    },
  };
};

export const email = (): Field<string> =>
  textThat({ max: longestEmail }, { format: 'email' }, isEmail, fault('field.not_email', {}));

const isHttpUrl = (value: string): boolean => {
  const url = URL.parse(value);
  return (
    url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== ''
  );
};

export const httpUrl = (max = 255): Field<string> =>
  textThat(
    { max },
    { format: 'uri' },
    (value) => /^https?:\/\//i.test(value) && isHttpUrl(value),
    fault('field.not_url', {}),
  );

/** Explains an invalid day: its format, month, or number of days. */
function dayFault(value: string, format: string): LocalizedText {
  const found = /^(?:(\d{1,2})-(\d{1,2})-(\d{4})|(\d{4})-(\d{2})-(\d{2}))$/.exec(value);
  const [, day = found?.[6], month = found?.[5], year = found?.[4]] = found ?? [];
  if (day === undefined || (found?.[4] !== undefined && !format.includes('yyyy-mm-dd'))) {
    const example = found?.[4] === undefined ? '05-12-2026' : `${day}-${month}-${year}`;
    return fault('field.not_day', { format, example });
  }
  const named = { month: Number(month), year: Number(year), days: 0 };
  if (named.month < 1 || named.month > 12) {
    return fault('field.no_such_day', { ...named, wrong: 'month' });
  }
  if (named.year === 0) return fault('field.no_such_day', { ...named, wrong: 'year' });
  const { daysInMonth: days } = Temporal.PlainDate.from({ ...named, day: 1 });
  return fault('field.no_such_day', { ...named, wrong: 'day', days });
}

/** A day, dd-mm-yyyy. With `iso` also yyyy-mm-dd. */
export function day({ iso = false } = {}): Field<Temporal.PlainDate> {
  const shape = iso ? 'dd-mm-yyyy or yyyy-mm-dd' : 'dd-mm-yyyy';
  return {
    schema: {
      type: 'string',
      examples: ['05-12-2026'],
      description: `A day of the calendar, ${shape}`,
    },
    expectation: fault('field.day', { format: shape }),
    // Browsers send yyyy-mm-dd.
    ...(iso && { asks: 'date' }),
    parse(value) {
      if (typeof value !== 'string') return wrongType('day', value);
      const parsed = iso ? parseDayOrIso(value) : parseDay(value);
      return parsed ? { ok: true, value: parsed } : fail(dayFault(value, shape));
    },
  };
}

const maxQuotedLength = 30;

const quotedText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : '';
  const cut =
    text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength).toWellFormed()}…` : text;
  return JSON.stringify(cut);
};

/**
 * An amount in pesos: JSON number or numeric text, up to 8 integer digits and 2 decimals. `min` is
 * in centavos.
 */
export function amount({ min = 1 }: { min?: number } = {}): Field<Centavos> {
  const least = toJsonNumber(centavos(min));
  const expectation = fault('field.amount', { min: centavos(min) });
  return {
    schema: {
      anyOf: [
        { type: 'number', minimum: least, maximum: 99_999_999.99 },
        { type: 'string', pattern: '^[0-9]{1,8}([.][0-9]{1,2})?$' },
      ],
      description: 'Pesos: up to 8 integer digits and 2 decimals, point as separator',
    },
    expectation,
    typed: amountOf,
    parse(value): Parsed<Centavos> {
      const parsed = parseAmount(value);
      if (parsed.ok) {
        return parsed.value < min
          ? fail(fault('field.amount_too_small', { min: centavos(min) }))
          : parsed;
      }
      if (parsed.fault === 'type') return wrongType('number', value);
      if (parsed.fault === 'format') {
        return fail(fault('field.not_amount', { value: quotedText(value) }));
      }
      const code =
        parsed.fault === 'decimals' ? 'field.too_many_decimals' : 'field.too_many_digits';
      return fail(fault(code, { wanted: expectation }));
    },
  };
}

/** A sum of payments in pesos, not zero. `signed` allows negative amounts. */
export function sum({ signed = false } = {}): Field<Centavos> {
  const digits = maxSumDigits;
  const expectation = fault('field.not_sum', { digits, signed: signed ? 'yes' : 'no' });
  return {
    schema: {
      type: 'string',
      pattern: `^${signed ? '-?' : ''}[0-9]{1,${digits}}([.][0-9]{1,2})?$`,
    },
    expectation,
    // The spreadsheet parser does not handle signs.
    typed: (text) => (text.startsWith('-') ? `-${amountOf(text.slice(1).trim())}` : amountOf(text)),
    parse(value) {
      const parsed = parseAmount(value, digits);
      const allowed = parsed.ok && (signed ? parsed.value !== 0 : parsed.value > 0);
      return allowed ? parsed : fail(expectation);
    },
  };
}

/** A whole number. With `digits` also a text of digits. */
export function integer(bounds: { min: number; max: number; digits?: boolean }): Field<number> {
  const { min, max, digits = false } = bounds;
  const expectation = fault('field.not_whole_number', { min, max });
  return {
    schema: { type: 'integer', minimum: min, maximum: max },
    expectation,
    parse(value) {
      const isDigits = digits && typeof value === 'string' && /^-?[0-9]+$/.test(value);
      const number = isDigits ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isInteger(number)) return fail(expectation);
      if (number >= min && number <= max) return { ok: true, value: number };
      const size = number < min ? 'small' : 'large';
      return fail(fault('field.out_of_range', { size, min, max }));
    },
  };
}

/** A row's number, as in listings. */
export const recordId = (): Field<number> =>
  integer({ min: 1, max: 999_999_999_999_999, digits: true });

/** The id of an account: eight hexadecimal digits. */
export const accountId = (): Field<string> =>
  textThat(
    { max: 8 },
    { pattern: '^[0-9A-F]{8}$' },
    (value) => /^[0-9A-F]{8}$/.test(value),
    fault('field.not_account_id', {}),
  );

/** One of a list of words, ignoring case. Returns the list's spelling. */
export function oneOf<W extends string>(words: readonly W[]): Field<W> {
  const expectation = fault('field.unknown_choice', { allowed: words.join(', ') });
  const bySpelling = new Map(words.map((word) => [word.toLowerCase(), word]));
  return {
    schema: { type: 'string', enum: [...words] },
    expectation,
    parse(value) {
      const word = typeof value === 'string' ? bySpelling.get(value.toLowerCase()) : undefined;
      return word ? { ok: true, value: word } : fail(expectation);
    },
  };
}

/** yes or no, as commands write it; pages have a checkbox. */
export function yesOrNo(): Field<boolean> {
  const word = oneOf(['yes', 'no'] as const);
  return {
    ...word,
    asks: 'tick',
    parse(value) {
      const parsed = word.parse(value);
      return parsed.ok ? { ok: true, value: parsed.value === 'yes' } : parsed;
    },
  };
}

/** A list of values, which pages and commands write separated by commas. */
export const listOf = <T>(item: Field<T>, bounds: { max: number }): Field<T[]> => ({
  ...list(item, bounds),
  typed: (text) => text.split(','),
});

/** true, false, 1, 0, as queries write them. */
export const flag = (): Field<boolean> => ({
  schema: { type: 'boolean' },
  expectation: fault('field.not_boolean', {}),
  parse(value) {
    if (value === true || value === 'true' || value === '1') return { ok: true, value: true };
    if (value === false || value === 'false' || value === '0') return { ok: true, value: false };
    return fail(fault('field.not_boolean', {}));
  },
});

/** Maximum nesting of free JSON, which bounds the work of its readers. */
const deepestJson = 100;

/** A free JSON object, stored unchanged. A card number in it raises an alarm. */
const freeObject = (maxBytes: number, name: string): Field<Record<string, unknown>> => ({
  schema: { type: 'object', additionalProperties: true },
  expectation: fault('field.object', {}),
  parse(value) {
    if (
      typeof value !== 'object' ||
      value === null ||
      Array.isArray(value) ||
      JSON.isRawJSON(value)
    ) {
      return wrongType('object', value);
    }
    if (jsonDepth(value) > deepestJson) {
      return fail(fault('field.too_deep', { max: deepestJson }));
    }
    if (hasForbiddenText(value)) return fail(fault('field.forbidden_text', {}));
    const json = JSON.stringify(value);
    const bytes = Buffer.byteLength(json);
    if (bytes > maxBytes) return fail(fault('field.too_many_bytes', { max: maxBytes, bytes }));
    if (holdsCardNumber(json)) noteCardIn(name);
    return { ok: true, value: value as Record<string, unknown> };
  },
});

/** The integrator's data: a free JSON object up to 16 KiB. */
export const metadata = (): Field<Record<string, unknown>> => freeObject(16 * 1024, 'metadata');

/** An instant: ISO 8601 with an offset. */
export function moment(): Field<Temporal.Instant> {
  const expectation = fault('field.not_moment', {});
  return {
    schema: { type: 'string', format: 'date-time' },
    expectation,
    parse(value) {
      if (typeof value !== 'string' || value.length > 40) return fail(expectation);
      try {
        return { ok: true, value: readMoment(value) };
      } catch {
        return fail(expectation);
      }
    },
  };
}
