import {
  type Language,
  LocalizedText,
  type ParameterSpec,
  type Parameters,
} from './localized-text.ts';

/** Texts by key, in groups: a `texts.en.json` or `texts.es.json`. */
export interface Tree {
  readonly [key: string]: string | readonly string[] | Tree;
}

/** Parameters of texts by key. Those of a group apply to each text in it. */
export type SpecTree = ParameterSpec | { readonly [key: string]: SpecTree };

/** A `SpecTree` that names only keys of the texts. */
type SpecFor<T> =
  | ParameterSpec
  | (T extends string ? never : { readonly [K in keyof T]?: SpecFor<T[K]> });

/** The texts of one language: strings, and functions where a text has parameters. */
export type Words<T, S> = T extends string
  ? S extends ParameterSpec
    ? (parameters: Parameters<S>) => string
    : string
  : T extends readonly unknown[]
    ? T
    : {
        readonly [K in keyof T]: Words<
          T[K],
          S extends ParameterSpec ? S : K extends keyof S ? S[K] : undefined
        >;
      };

type Pair = Readonly<Record<Language, Tree>>;

/** A catalog's texts as in its files, and their parameters. */
export interface Declared {
  texts: Pair;
  spec: SpecTree;
}

/** Every loaded catalog, for the check of texts. */
const declared: Declared[] = [];
export const declaredCatalogs = (): readonly Declared[] => declared;

/** Distinguishes the parameters of a text from a group of texts with parameters. */
export const isFlat = (spec: SpecTree): spec is ParameterSpec =>
  Object.values(spec).every((one) => typeof one === 'string');

function wordsIn(language: Language, texts: Pair, spec: SpecTree): object {
  const entries = Object.entries(texts[language]).map(([key, text]) => {
    const own = isFlat(spec) ? spec : spec[key];
    if (own === undefined || Array.isArray(text)) return [key, text];
    if (typeof text !== 'string') {
      const group = { en: texts.en[key], es: texts.es[key] } as Pair;
      return [key, wordsIn(language, group, own)];
    }
    // `LocalizedText` finds a text of a group by its key, like a text of a noun.
    const message = {
      key,
      texts: texts as ConstructorParameters<typeof LocalizedText>[0]['texts'],
    };
    return [
      key,
      (parameters: Readonly<Record<string, unknown>>) =>
        new LocalizedText({ ...message, spec: own as ParameterSpec }, parameters).in(language),
    ];
  });
  return Object.fromEntries(entries);
}

/**
 * Builds the texts of pages, emails and files by language, from their JSON files. A text without
 * parameters is the file's string. Others are compiled on first use.
 */
export function catalog<const T, const S extends SpecFor<T> | undefined = undefined>(
  texts: Readonly<Record<Language, T>>,
  spec?: S,
): Readonly<Record<Language, Words<T, S>>> {
  const pair = texts as unknown as Pair;
  const words =
    spec === undefined
      ? { ...pair }
      : { en: wordsIn('en', pair, spec as SpecTree), es: wordsIn('es', pair, spec as SpecTree) };
  declared.push({ texts: pair, spec: (spec ?? {}) as SpecTree });
  return words as Readonly<Record<Language, Words<T, S>>>;
}

/** Returns a text of a group by its key, or undefined. */
export const textAt = (group: object, key: string): string | undefined =>
  Object.hasOwn(group, key) ? (group as Readonly<Record<string, string>>)[key] : undefined;
