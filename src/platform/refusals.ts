import { type ParameterSpec, type Parameters, Said, type Texts } from '../language/said.ts';
import { Refusal, type RefusalKind } from './errors.ts';

/** The meaning of a refusal's code. */
export interface CodeSpec {
  /** Fixes the HTTP status. */
  kind: RefusalKind;
  parameters: ParameterSpec;
  /** The field of the form that it is about. */
  field?: string;
  /** The usual cause and the remedy, for `docs/errors.md`. */
  help: string;
}

/** The refusals of a noun: its codes, and the text of each in every language. */
export interface Refusals<Codes extends Readonly<Record<string, CodeSpec>>> {
  codes: Codes;
  texts: Texts<keyof Codes & string>;
  /** The error to throw. */
  refusal<Code extends keyof Codes & string>(
    code: Code,
    parameters: Parameters<Codes[Code]['parameters']>,
  ): Refusal;
}

/** Declares the refusals of a noun. */
export function declareRefusals<const Codes extends Readonly<Record<string, CodeSpec>>>(
  codes: Codes,
  texts: Texts<keyof Codes & string>,
): Refusals<Codes> {
  return {
    codes,
    texts,
    refusal(code, parameters) {
      const { kind, field, parameters: spec } = codes[code] as CodeSpec;
      const said = new Said({ key: code, texts, spec }, parameters);
      if (field === undefined) return new Refusal(kind, said);
      return new Refusal(kind, said, { [field]: { errors: [String(said)], codes: [code] } });
    },
  };
}
