import { createRequire } from 'node:module';
import type { IntlMessageFormat } from 'intl-messageformat';
import { dayOf, formatDay, isoDateTime } from '../kernel/dates.ts';
import { type Centavos, centavos, decimalText, formatPesos } from '../kernel/money.ts';

export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];

/**
 * Texts of a noun in ICU MessageFormat, by language and key, from `texts.en.json` and
 * `texts.es.json`.
 */
export type Texts<Key extends string = string> = Readonly<
  Record<Language, Readonly<Record<Key, string>>>
>;

interface ParameterTypes {
  money: Centavos;
  day: Temporal.PlainDate;
  moment: Temporal.Instant;
  /** A number of things, for plurals and selections. */
  count: number;
  text: string;
  /** A text within this one, in the same language. */
  nested: LocalizedText | string;
  /** Separate texts, each on its own line. */
  lines: readonly LocalizedText[];
}
export type ParameterSpec = Readonly<Record<string, keyof ParameterTypes>>;
export type Parameters<Spec extends ParameterSpec> = {
  readonly [Name in keyof Spec]: ParameterTypes[Spec[Name]];
};

/** Formats day and time in Argentina, with seconds only if they are not zero. */
function momentText(language: Language, moment: Temporal.Instant): string {
  const [time = ''] = isoDateTime(moment).slice(11, 19).split(/:00$/);
  return `${formatDay(dayOf(moment))} ${language === 'es' ? 'a las ' : ''}${time}`;
}

/** Formats a parameter for a text. Money is `1430.00` in English, `$ 1.430,00` in Spanish. */
function written(language: Language, value: unknown, type: keyof ParameterTypes): string | number {
  if (type === 'money') {
    const amount = centavos(Number(value));
    return language === 'es' ? formatPesos(amount).replaceAll(' ', '\u00a0') : decimalText(amount);
  }
  if (type === 'day')
    return formatDay(Temporal.PlainDate.from(value as Temporal.PlainDate | string));
  if (type === 'moment') {
    return momentText(language, Temporal.Instant.from(value as Temporal.Instant | string));
  }
  if (value instanceof LocalizedText) return value.in(language);
  if (type === 'lines') {
    const lines = value as readonly (LocalizedText | string)[];
    return lines.map((one) => (one instanceof LocalizedText ? one.in(language) : one)).join('\n');
  }
  return type === 'count' ? Number(value) : String(value);
}

/**
 * Loads the library for the first text with parameters, so that commands without one start faster.
 */
const library = createRequire(import.meta.url);
const formatClass = (): typeof IntlMessageFormat => library('intl-messageformat').IntlMessageFormat;

/** Returns true for a text that ICU leaves as it is: without parameters, tags or doubled quotes. */
const isPlain = (text: string): boolean => !/[{}<>]|''/.test(text);

/** Compiled texts by language and text, filled on first use. */
const compiled: Record<Language, Map<string, IntlMessageFormat>> = { en: new Map(), es: new Map() };

function messageOf(language: Language, text: string): IntlMessageFormat {
  const known = compiled[language].get(text);
  if (known) return known;
  const locale = language === 'es' ? 'es-AR' : 'en';
  const message = new (formatClass())(text, locale, undefined, { ignoreTag: true });
  compiled[language].set(text, message);
  return message;
}

/** A text as stored in JSON or sent to another thread. `readStoredCode` reads it. */
export interface StoredCodeText {
  code: string;
  parameters: Readonly<Record<string, unknown>>;
  /** English text, for a release that does not know the code. */
  text?: string;
}

/** A text with its parameters, formatted in the reader's language when it is shown. */
export class LocalizedText {
  readonly key: string;
  readonly #texts: Texts;
  readonly #spec: ParameterSpec;
  readonly #parameters: Readonly<Record<string, unknown>>;
  /** The English text, formatted once, because a batch may repeat a fault 10,000 times. */
  #english: string | null = null;

  constructor(
    { key, texts, spec }: { key: string; texts: Texts; spec: ParameterSpec },
    parameters: Readonly<Record<string, unknown>>,
  ) {
    this.key = key;
    this.#texts = texts;
    this.#spec = spec;
    this.#parameters = parameters;
  }

  /**
   * Formats the text in a language, or in English if the language is unknown. Returns the
   * unformatted English text if formatting fails.
   */
  in(language: string): string {
    const reader = languages.find((one) => one === language) ?? 'en';
    const text = this.#texts[reader][this.key] ?? this.#texts.en[this.key] ?? this.key;
    if (isPlain(text)) return text;
    try {
      const values = Object.entries(this.#spec).map(([name, type]) => [
        name,
        written(reader, this.#parameters[name], type),
      ]);
      return String(messageOf(reader, text).format(Object.fromEntries(values)));
    } catch (error) {
      process.emitWarning(`The text ${this.key} cannot be said in ${reader}: ${String(error)}`);
      return this.#texts.en[this.key] ?? this.key;
    }
  }

  /** Returns the text's stored form. Texts within it keep their codes. */
  kept(): StoredCodeText {
    const keep = (value: unknown): unknown =>
      value instanceof LocalizedText ? { ...value.kept(), text: String(value) } : value;
    const parameters = Object.entries(this.#parameters).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(keep) : keep(value),
    ]);
    return { code: this.key, parameters: Object.fromEntries(parameters) };
  }

  toString(): string {
    this.#english ??= this.in('en');
    return this.#english;
  }

  /** Returns the English text, because APIs and logs are in English. */
  toJSON(): string {
    return this.toString();
  }
}
