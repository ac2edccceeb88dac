import type { Texts } from '../language/localized-text.ts';
import type { Actor } from './actor.ts';
import { type DeclaredText, textsUnder } from './declared-texts.ts';
import type { Example } from './http/examples.ts';
import { type Filled, type Form, form, type Members, type Rules } from './http/form.ts';

/**
 * An operation that people run, declared once for every interface: permission, members, verb and
 * texts. The interfaces are `src/cli/operation.ts`, `src/portal/frame/operation.tsx` and
 * `src/platform/http/operation-api.ts`. In the API, a member called `account` is the key's own
 * account.
 */
export interface Operation<
  M extends Members = Members,
  Verb = never,
  Outcome = unknown,
  Act extends string = string,
> {
  /** Such as `suspense.assign`. */
  name: string;
  /** The permission. `src/users/acts.ts` lists the roles that have it. */
  act: Act;
  members: M;
  /** Rules between members. */
  rules?: Rules<M, void> | undefined;
  form: Form<Filled<M>>;
  run(verb: Verb, input: Filled<M>, actor: Actor): Promise<Outcome>;
  repeat: Repeat;
  /** Absent if there is no command. */
  command?: CommandShape<M, Outcome>;
  /** Absent if it is not in the API. */
  api?: ApiShape<M, Outcome>;
  /**
   * A generated page in the portal: its path, and that of the page that links to it. Absent if its
   * page is hand-written, or if it has none.
   */
  page?: { path: string; of: string; grave?: true };
  /**
   * Texts of its noun: `<name>.does`, `.submit`, one for each member, and `.done` with its result.
   * A member may have a `.hint` for pages and a `.help` for commands, in place of its label.
   * A confirmation page may have a `.title`, a `.lead`, `.ask` for the link to it, and `.refused`
   * instead of the verb's message for a conflict.
   */
  texts: Texts;
  text: DeclaredText;
}

/** Why repeating an operation is harmless. */
export type Repeat =
  /** Repetition finds it already done. */
  | 'natural'
  /** A member is an idempotency reference. */
  | 'reference'
  /** The idempotency key of the call or form is claimed. */
  | 'claim'
  /** Repetition does it again. The text says why that is harmless. */
  | { again: string };

export interface ApiShape<M extends Members, Outcome> {
  /** Operation id in the OpenAPI document. */
  id: string;
  method: 'POST' | 'PUT' | 'DELETE';
  /** Path with some members as `:id`. The others form the body. */
  path: string;
  permission: `${string}:write`;
  tag: string;
  summary: string;
  description?: string;
  /** The member that wraps the body's fields, if any. */
  wrapper?: string;
  /** An example that works in a sandbox after `src/api-examples.ts`. Absent if that file has it. */
  example?: Example;
  /** Loads the shapes of responses. Only the API calls it, because they load slowly. */
  answers(): Promise<{
    status: number;
    /** JSON Schema. */
    schema: object;
    presents(outcome: Outcome, input: Filled<M>): unknown;
  }>;
}

export interface CommandLine<M extends Members> {
  /** Members without a flag, in order. */
  arguments?: readonly (keyof M & string)[];
  /** Members that a command requires although a form may leave them empty. */
  needs?: readonly (keyof M & string)[];
  /** Flags not named like their member. */
  flags?: Partial<Readonly<Record<keyof M & string, string>>>;
  /** Members whose flag `--no-…` stands for a value. The text `<member>.no` describes it. */
  noFlags?: Partial<Readonly<Record<keyof M & string, string>>>;
  /** True if the account may be the operator's own books. */
  takesOperatorBooks?: true;
}

/** A row as commands print it. */
export type Cells = Record<string, string | number | null>;

/** Parts of a command that its form lacks. */
interface CommandShape<M extends Members, Outcome> extends CommandLine<M> {
  /** Requires or accepts the acting operator's email address. */
  operator?: 'always' | 'may';
  /**
   * Returns the result for `done` and `--json`, with amounts in pesos. The outcome's name is added.
   */
  shows?(input: Filled<M>, outcome: Outcome): Readonly<Record<string, unknown>>;
  /** Returns rows, instead of `shows`. */
  lists?(outcome: Outcome): Cells[];
}

type Declared<M extends Members, Verb, Outcome, Act extends string> = Omit<
  Operation<M, Verb, Outcome, Act>,
  'members' | 'form' | 'text'
> & { takes: M };

export function operation<M extends Members, Verb, Outcome, const Act extends string>({
  takes,
  ...declared
}: Declared<M, Verb, Outcome, Act>): Operation<M, Verb, Outcome, Act> {
  const { name, texts, rules } = declared;
  return { ...declared, members: takes, form: form(takes, rules), text: textsUnder(name, texts) };
}
