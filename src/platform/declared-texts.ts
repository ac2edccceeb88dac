import { type Language, LocalizedText, type Texts } from '../language/localized-text.ts';

/** Returns one of a declaration's texts, or null if it has none. */
export type DeclaredText = (
  key: string,
  language: Language,
  parameters?: Readonly<Record<string, unknown>>,
) => string | null;

/** Reads the texts whose keys begin with a declaration's name. */
export const textsUnder =
  (name: string, texts: Texts): DeclaredText =>
  (key, language, parameters = {}) => {
    const whole = `${name}.${key}`;
    if (texts[language][whole] === undefined) return null;
    const spec = Object.fromEntries(Object.keys(parameters).map((one) => [one, 'text'] as const));
    return new LocalizedText({ key: whole, texts, spec }, parameters).in(language);
  };
