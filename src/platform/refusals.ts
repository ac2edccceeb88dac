import {
  LocalizedText,
  type ParameterSpec,
  type Parameters,
  type StoredCodeText,
  type Texts,
} from '../language/localized-text.ts';
import { type FieldFaultsByName, Refusal, type RefusalKind, TooMany } from './errors.ts';

export interface CodeSpec {
  /**
   * Sets the HTTP status. `field` is only a field's fault, with the status of its response. `part`
   * is not a code, but a phrase inside other texts.
   */
  kind: RefusalKind | 'field' | 'part';
  parameters: ParameterSpec;
  /** The form's field that it concerns. */
  field?: string;
  /** The usual cause and the remedy, for `docs/reference/errors.md`. */
  help: string;
}

/** Further members of a response. */
interface Rest {
  children?: FieldFaultsByName;
  details?: Readonly<Record<string, unknown>>;
}

/** A noun's refusals: codes, and texts in every language. */
export interface Refusals<Codes extends Readonly<Record<string, CodeSpec>>> {
  codes: Codes;
  texts: Texts<keyof Codes & string>;
  /** Returns the error to throw. */
  refusal<Code extends keyof Codes & string>(
    code: Code,
    parameters: Parameters<Codes[Code]['parameters']>,
    rest?: Rest,
  ): Refusal;
  /** Returns the error for too many calls. `retryAfterSeconds` becomes Retry-After. */
  tooMany<Code extends keyof Codes & string>(
    code: Code,
    parameters: Parameters<Codes[Code]['parameters']>,
    retryAfterSeconds: number | null,
  ): TooMany;
  /** Returns a code's text, as a field's fault. */
  fault<Code extends keyof Codes & string>(
    code: Code,
    parameters: Parameters<Codes[Code]['parameters']>,
  ): LocalizedText;
}

/** Codes of all loaded nouns, to read stored or received texts. */
const declared = new Map<string, { texts: Texts; spec: ParameterSpec }>();

const isStoredCode = (value: unknown): value is StoredCodeText =>
  typeof value === 'object' && value !== null && 'code' in value;

/** Returns the stored text, or null if this release lacks the code or needs other parameters. */
export function readStoredCode({ code, parameters }: StoredCodeText): LocalizedText | null {
  const known = declared.get(code);
  if (!known || Object.keys(known.spec).some((name) => !(name in parameters))) return null;
  const readOne = (value: unknown): unknown =>
    isStoredCode(value) ? (readStoredCode(value) ?? value.text) : value;
  const read = Object.entries(parameters).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(readOne) : readOne(value),
  ]);
  return new LocalizedText({ key: code, ...known }, Object.fromEntries(read));
}

/** Returns a text's stored form, with its code, so that each reader gets it in their language. */
export const storedText = (text: string | LocalizedText): string =>
  typeof text === 'string' ? text : JSON.stringify({ ...text.kept(), text: String(text) });

/** Reads a stored text. One without a known code is in English. */
export function readStoredText(stored: string): string | LocalizedText {
  if (!stored.startsWith('{"code":')) return stored;
  const storedCode = JSON.parse(stored) as StoredCodeText;
  return readStoredCode(storedCode) ?? String(storedCode.text);
}

/** Declares a noun's refusals, and registers their codes for `readStoredCode`. */
export function declareRefusals<const Codes extends Readonly<Record<string, CodeSpec>>>(
  codes: Codes,
  texts: Texts<keyof Codes & string>,
): Refusals<Codes> {
  for (const [code, { parameters: spec }] of Object.entries(codes)) {
    declared.set(code, { texts, spec });
  }
  const localized = (
    code: keyof Codes & string,
    parameters: Readonly<Record<string, unknown>>,
  ): LocalizedText =>
    new LocalizedText({ key: code, texts, spec: codes[code]?.parameters ?? {} }, parameters);
  return {
    codes,
    texts,
    refusal(code, parameters, { children, details } = {}) {
      const { kind, field } = codes[code] as CodeSpec;
      if (kind === 'field' || kind === 'part') throw new Error(`${code} has no status`);
      const text = localized(code, parameters);
      const faults = field === undefined ? children : { ...children, [field]: { errors: [text] } };
      return new Refusal(kind, text, faults, details);
    },
    tooMany: (code, parameters, seconds) => new TooMany(localized(code, parameters), seconds),
    fault: localized,
  };
}
