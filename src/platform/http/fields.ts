// Longer than 300 lines: each kind of field, with the faults that it names.
import { holdsCardNumber } from '../../kernel/card-text.ts';
import { parseDay, parseDayOrIso } from '../../kernel/dates.ts';
import { isEmail, longestEmail } from '../../kernel/email.ts';
import { hasForbiddenText, jsonDepth } from '../../kernel/json.ts';
import { type Centavos, centavos, parseAmount, toJsonNumber } from '../../kernel/money.ts';
import {
  directionControl,
  hasControl,
  isBlank,
  isPlain,
  isWellFormed,
  lengthOf,
} from '../../kernel/text.ts';
import { noteCardIn } from '../postgres/deadlines.ts';
import { type Field, fail, type Parsed } from './form.ts';

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && !JSON.isRawJSON(value)) return 'an object';
  return typeof value === 'string'
    ? 'a text'
    : `a ${typeof value === 'object' ? 'number' : typeof value}`;
};

interface TextBounds {
  max: number;
  min?: number;
  /** Descriptions may hold line breaks and tabs. */
  lineBreaks?: boolean;
}

/** Text, its length counted in Unicode code points; kept as sent. */
export function text({ max, min = 1, lineBreaks = false }: TextBounds): Field<string> {
  const wanted = `It must be a text of ${min} to ${max} characters.`;
  return {
    schema: { type: 'string', minLength: min, maxLength: max },
    wanted,
    parse(value) {
      if (typeof value !== 'string')
        return fail(`This value must be a text, not ${kindOf(value)}.`);
      if (isPlain(value) && value.length >= min && value.length <= max) return { ok: true, value };
      if (isBlank(value)) return fail(`This value must not be blank. ${wanted}`);
      if (!isWellFormed(value))
        return fail('This text is not valid Unicode: it has a lone surrogate.');
      if (hasControl(value, { lineBreaks })) {
        return fail(
          lineBreaks
            ? 'This text must not have control characters other than line breaks and tabs.'
            : 'This text must not have control characters, such as line breaks.',
        );
      }
      const turning = directionControl(value);
      if (turning !== null) {
        return fail(
          `This text must not have characters that change the direction of writing (U+202A to U+202E, U+2066 to U+2069); it has ${turning}.`,
        );
      }
      const length = lengthOf(value);
      if (length < min) return fail(`This text must have at least ${min} characters.`);
      if (length > max) {
        return fail(`This text must have at most ${max} characters; it has ${length}.`);
      }
      return { ok: true, value };
    },
  };
}

const cardFault =
  'This text must not have the number of a card. Leave it out, or write its last four digits.';

/** A text that people read: it must not have a card number. */
export function prose(bounds: TextBounds): Field<string> {
  const base = text(bounds);
  return {
    ...base,
    parse(value) {
      const parsed = base.parse(value);
      return parsed.ok && holdsCardNumber(parsed.value) ? fail(cardFault) : parsed;
    },
  };
}

/** A caller's own name of a thing. Any digits may be in it; the operator hears of a card number. */
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
  message: string,
): Field<string> => {
  const base = text(bounds);
  return {
    schema: { ...base.schema, ...schema },
    wanted: message,
    parse(value) {
      const parsed = base.parse(value);
      return !parsed.ok || test(parsed.value) ? parsed : fail(message);
    },
  };
};

export const email = (): Field<string> =>
  textThat(
    { max: longestEmail },
    { format: 'email' },
    isEmail,
    'This value is not an e-mail address. It must be one such as ana@example.com.',
  );

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
    'This value is not a web address. It must be an absolute address that begins with http:// or https://.',
  );

const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** Says what is wrong with a day: its format, its month, or the days that its month has. */
function dayFault(value: string, shape: string): string {
  const found = /^(?:(\d{1,2})-(\d{1,2})-(\d{4})|(\d{4})-(\d{2})-(\d{2}))$/.exec(value);
  const [, day = found?.[6], month = found?.[5], year = found?.[4]] = found ?? [];
  if (day === undefined || (found?.[4] !== undefined && !shape.includes('yyyy-mm-dd'))) {
    const iso = found?.[4] === undefined ? null : `${day}-${month}-${year}`;
    return `This value is not a day in the format ${shape}. Write ${iso ?? '05-12-2026'} (dd-mm-yyyy).`;
  }
  const name = monthNames[Number(month) - 1];
  const wrong = 'This value is not a day of the calendar';
  if (name === undefined) return `${wrong}: there is no month ${month}.`;
  if (Number(year) === 0) return `${wrong}: years begin with 0001.`;
  const first = Temporal.PlainDate.from({ year: Number(year), month: Number(month), day: 1 });
  return `${wrong}: ${name} ${year} has ${first.daysInMonth} days.`;
}

/** A calendar day, dd-mm-yyyy; yyyy-mm-dd too where `iso` says so. */
export function day({ iso = false } = {}): Field<Temporal.PlainDate> {
  const shape = iso ? 'dd-mm-yyyy or yyyy-mm-dd' : 'dd-mm-yyyy';
  const wanted = `It must be a date in the format ${shape}, such as 05-12-2026.`;
  return {
    schema: {
      type: 'string',
      examples: ['05-12-2026'],
      description: `A day of the calendar, ${shape}`,
    },
    wanted,
    parse(value) {
      if (typeof value !== 'string')
        return fail(`This value must be a text, not ${kindOf(value)}. ${wanted}`);
      const parsed = iso ? parseDayOrIso(value) : parseDay(value);
      return parsed ? { ok: true, value: parsed } : fail(dayFault(value, shape));
    },
  };
}

const longestShown = 30;

const shownText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : '';
  const cut = text.length > longestShown ? `${text.slice(0, longestShown).toWellFormed()}…` : text;
  return JSON.stringify(cut);
};

/** An amount in pesos: JSON number or numeric text, up to 8 integer digits and 2 decimals. */
export function amount({ min = 1 }: { min?: number } = {}): Field<Centavos> {
  const least = toJsonNumber(centavos(min));
  const wanted = `It must be an amount of ${least} to 99999999.99 with at most 2 decimals.`;
  return {
    schema: {
      anyOf: [
        { type: 'number', minimum: least, maximum: 99_999_999.99 },
        { type: 'string', pattern: '^[0-9]{1,8}([.][0-9]{1,2})?$' },
      ],
      description: 'Pesos: up to 8 integer digits and 2 decimals, point as separator',
    },
    wanted,
    parse(value): Parsed<Centavos> {
      const parsed = parseAmount(value);
      if (!parsed.ok) {
        const why = {
          type: `This value must be a number, not ${kindOf(value)}.`,
          format: `${shownText(value)} is not an amount: use a decimal point and no thousands separator, e.g. 1430.50.`,
          decimals: 'This amount has more than 2 decimals.',
          digits: 'This amount has more than 8 integer digits.',
        }[parsed.fault];
        return fail(parsed.fault === 'format' ? why : `${why} ${wanted}`);
      }
      if (parsed.value < min) return fail(`This amount must be at least ${least}.`);
      return parsed;
    },
  };
}

/** A whole number; a text of digits is accepted where `digits` says so. */
export function integer(bounds: { min: number; max: number; digits?: boolean }): Field<number> {
  const { min, max, digits = false } = bounds;
  const message = `It must be a whole number from ${min} to ${max}.`;
  return {
    schema: { type: 'integer', minimum: min, maximum: max },
    wanted: message,
    parse(value) {
      const isDigits = digits && typeof value === 'string' && /^-?[0-9]+$/.test(value);
      const number = isDigits ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isInteger(number)) {
        return fail(`This value is not a whole number. ${message}`);
      }
      if (number >= min && number <= max) return { ok: true, value: number };
      return fail(`This number is ${number < min ? 'too small' : 'too large'}. ${message}`);
    },
  };
}

/** One of a closed list of words, in any case; the word comes out as the list spells it. */
export function oneOf<W extends string>(words: readonly W[]): Field<W> {
  const message = `It must be one of: ${words.join(', ')}.`;
  const bySpelling = new Map(words.map((word) => [word.toLowerCase(), word]));
  return {
    schema: { type: 'string', enum: [...words] },
    wanted: message,
    parse(value) {
      const word = typeof value === 'string' ? bySpelling.get(value.toLowerCase()) : undefined;
      return word ? { ok: true, value: word } : fail(`This value is not known. ${message}`);
    },
  };
}

/** true, false, 1, 0, as queries write them. */
export const flag = (): Field<boolean> => ({
  schema: { type: 'boolean' },
  wanted: 'It must be true or false.',
  parse(value) {
    if (value === true || value === 'true' || value === '1') return { ok: true, value: true };
    if (value === false || value === 'false' || value === '0') return { ok: true, value: false };
    return fail('This value must be true, false, 1 or 0.');
  },
});

/** Deeper documents are refused: no reader of ours should have to walk them. */
const deepestJson = 100;

/** A free JSON object, kept as it is. */
const freeObject = (maxBytes: number, name: string): Field<Record<string, unknown>> => ({
  schema: { type: 'object', additionalProperties: true },
  wanted: 'It must be a JSON object.',
  parse(value) {
    if (
      typeof value !== 'object' ||
      value === null ||
      Array.isArray(value) ||
      JSON.isRawJSON(value)
    ) {
      return fail(`This value must be a JSON object, not ${kindOf(value)}.`);
    }
    if (jsonDepth(value) > deepestJson) {
      return fail(`This object must not be nested more than ${deepestJson} levels deep.`);
    }
    if (hasForbiddenText(value)) {
      return fail('The texts of this object must not have NUL characters or lone surrogates.');
    }
    const json = JSON.stringify(value);
    const bytes = Buffer.byteLength(json);
    if (bytes > maxBytes) {
      return fail(`This object must have at most ${maxBytes} bytes as JSON; it has ${bytes}.`);
    }
    if (holdsCardNumber(json)) noteCardIn(name);
    return { ok: true, value: value as Record<string, unknown> };
  },
});

/** What an integrator keeps with a noun of his: a free JSON object up to 16 KiB. */
export const metadata = (): Field<Record<string, unknown>> => freeObject(16 * 1024, 'metadata');

/** A moment: ISO 8601 with an offset. */
export function moment(): Field<Temporal.Instant> {
  const wanted = 'It must be a date-time with an offset, such as 2026-12-05T09:00:00-03:00.';
  return {
    schema: { type: 'string', format: 'date-time' },
    wanted,
    parse(value) {
      if (typeof value !== 'string' || value.length > 40) return fail(wanted);
      try {
        return { ok: true, value: Temporal.Instant.from(value) };
      } catch {
        return fail(wanted);
      }
    },
  };
}
