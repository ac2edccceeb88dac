import { type ParameterSpec, type Parameters, Said, type Texts } from '../language/said.ts';
import { type FieldFaultsByName, Refusal, type RefusalKind, TooMany } from './errors.ts';

/** The meaning of a refusal's code. */
export interface CodeSpec {
  /**
   * Fixes the HTTP status; `field`: a fault of a field only, whose answer has the status; `part`:
   * no code, but a sentence within others.
   */
  kind: RefusalKind | 'field' | 'part';
  parameters: ParameterSpec;
  /** The field of the form that it is about. */
  field?: string;
  /** The usual cause and the remedy, for `docs/errors.md`. */
  help: string;
}

/** What an answer has besides its code and text. */
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
  /** The error to throw where too much was asked for; after `retryAfterSeconds` it may go through. */
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

/** Declares the refusals of a noun. */
export function declareRefusals<const Codes extends Readonly<Record<string, CodeSpec>>>(
  codes: Codes,
  texts: Texts<keyof Codes & string>,
): Refusals<Codes> {
  const said = (code: keyof Codes & string, parameters: Readonly<Record<string, unknown>>): Said =>
    new Said({ key: code, texts, spec: codes[code]?.parameters ?? {} }, parameters);
  return {
    codes,
    texts,
    refusal(code, parameters, { children, details } = {}) {
      const { kind, field } = codes[code] as CodeSpec;
      if (kind === 'field' || kind === 'part') throw new Error(`${code} has no status`);
      const text = said(code, parameters);
      const faults = field === undefined ? children : { [field]: { errors: [text] }, ...children };
      return new Refusal(kind, text, faults, details);
    },
    tooMany: (code, parameters, seconds) => new TooMany(said(code, parameters), seconds),
    fault: said,
  };
}
