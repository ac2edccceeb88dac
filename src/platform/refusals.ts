import {
  type ParameterSpec,
  type Parameters,
  Said,
  type StoredCodeText,
  type Texts,
} from '../language/said.ts';
import { type FieldFaultsByName, Refusal, type RefusalKind, TooMany } from './errors.ts';

/** The meaning of a refusal's code. */
export interface CodeSpec {
  /**
   * Sets the HTTP status; `field`: a fault of a field only, and the answer has the status; `part`:
   * no code, but a sentence inside others.
   */
  kind: RefusalKind | 'field' | 'part';
  parameters: ParameterSpec;
  /** The field of the form that it is about. */
  field?: string;
  /** The usual cause and the remedy, for `docs/reference/errors.md`. */
  help: string;
}

/** Other members of an answer, besides its code and text. */
interface Rest {
  children?: FieldFaultsByName;
  details?: Readonly<Record<string, unknown>>;
}

/** The refusals of a noun: its codes, and the text of each in every language. */
export interface Refusals<Codes extends Readonly<Record<string, CodeSpec>>> {
  codes: Codes;
  texts: Texts<keyof Codes & string>;
  /** The error to throw. */
  refusal<Code extends keyof Codes & string>(
    code: Code,
    parameters: Parameters<Codes[Code]['parameters']>,
    rest?: Rest,
  ): Refusal;
  /** Returns the error for too many calls; `retryAfterSeconds` becomes Retry-After. */
  tooMany<Code extends keyof Codes & string>(
    code: Code,
    parameters: Parameters<Codes[Code]['parameters']>,
    retryAfterSeconds: number | null,
  ): TooMany;
  /** The text of a code, as the fault of a field. */
  fault<Code extends keyof Codes & string>(
    code: Code,
    parameters: Parameters<Codes[Code]['parameters']>,
  ): Said;
}

/** The codes of the nouns that are loaded: texts that were stored or sent are read by them. */
const declared = new Map<string, { texts: Texts; spec: ParameterSpec }>();

const isKept = (value: unknown): value is StoredCodeText =>
  typeof value === 'object' && value !== null && 'code' in value;

/** Returns null if this release lacks the code, or takes other parameters for it. */
export function readKept({ code, parameters }: StoredCodeText): Said | null {
  const known = declared.get(code);
  if (!known || Object.keys(known.spec).some((name) => !(name in parameters))) return null;
  const readOne = (value: unknown): unknown =>
    isKept(value) ? (readKept(value) ?? value.text) : value;
  const read = Object.entries(parameters).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(readOne) : readOne(value),
  ]);
  return new Said({ key: code, ...known }, Object.fromEntries(read));
}

/** A text for a column of text: with its code, so that each reader gets it in their language. */
export const storedText = (text: string | Said): string =>
  typeof text === 'string' ? text : JSON.stringify({ ...text.kept(), text: String(text) });

/** Reads such a column; a text without a code, or with one of another release, is English. */
export function readStoredText(stored: string): string | Said {
  if (!stored.startsWith('{"code":')) return stored;
  const kept = JSON.parse(stored) as StoredCodeText;
  return readKept(kept) ?? String(kept.text);
}

/** Declares the refusals of a noun. */
export function declareRefusals<const Codes extends Readonly<Record<string, CodeSpec>>>(
  codes: Codes,
  texts: Texts<keyof Codes & string>,
): Refusals<Codes> {
  for (const [code, { parameters: spec }] of Object.entries(codes)) {
    declared.set(code, { texts, spec });
  }
  const said = (code: keyof Codes & string, parameters: Readonly<Record<string, unknown>>): Said =>
    new Said({ key: code, texts, spec: codes[code]?.parameters ?? {} }, parameters);
  return {
    codes,
    texts,
    refusal(code, parameters, { children, details } = {}) {
      const { kind, field } = codes[code] as CodeSpec;
      if (kind === 'field' || kind === 'part') throw new Error(`${code} has no status`);
      const text = said(code, parameters);
      const faults = field === undefined ? children : { ...children, [field]: { errors: [text] } };
      return new Refusal(kind, text, faults, details);
    },
    tooMany: (code, parameters, seconds) => new TooMany(said(code, parameters), seconds),
    fault: said,
  };
}
