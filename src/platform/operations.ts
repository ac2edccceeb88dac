import type { Texts } from '../language/said.ts';
import type { Actor } from './actor.ts';
import { type DeclaredText, textsUnder } from './declared-texts.ts';
import type { Example } from './http/examples.ts';
import { type Filled, type Form, form, type Members, type Rules } from './http/form.ts';

/**
 * One thing that a person does, declared once for every way to do it: who may, what it takes, the
 * verb, and the words. Its doors: `src/cli/operation.ts`, `src/portal/frame/operation.tsx`,
 * `src/platform/http/operation-api.ts`. A member called `account` is the key's own in the API.
 */
export interface Operation<
  M extends Members = Members,
  Verb = never,
  Outcome = unknown,
  Act extends string = string,
> {
  /** Such as `suspense.assign`. */
  name: string;
  /** The permission; `src/users/acts.ts` lists the roles that have it. */
  act: Act;
  members: M;
  /** Rules between members. */
  rules?: Rules<M, void> | undefined;
  form: Form<Filled<M>>;
  run(verb: Verb, input: Filled<M>, actor: Actor): Promise<Outcome>;
  repeat: Repeat;
  /** Absent: no command. */
  command?: CommandShape<M, Outcome>;
  /** Absent: not in the API. */
  api?: ApiShape<M, Outcome>;
  /**
   * A generated page in the portal: its path, and that of the page that links to it. Absent: a
   * hand-written page, or none.
   */
  page?: { path: string; of: string; grave?: true };
  /**
   * Of its noun: `<name>.does`, `.submit`, one for each member, and `.done` with its answer. A
   * question of the portal may have a `.title`, a `.lead`, `.ask` for the link to it, and
   * `.refused` in place of what its verb says to a conflict.
   */
  texts: Texts;
  text: DeclaredText;
}

/** Why repeating an operation is harmless. */
export type Repeat =
  /** It is already done. */
  | 'natural'
  /** A member is an idempotency reference. */
  | 'reference'
  /** The key of the call or form is claimed. */
  | 'claim'
  /** It is done again; the text says why that is harmless. */
  | { again: string };

/** Place of an operation in the API. */
export interface ApiShape<M extends Members, Outcome> {
  /** Operation id in the OpenAPI document. */
  id: string;
  method: 'POST' | 'PUT' | 'DELETE';
  /** Members as `:id`; the others form the body. */
  path: string;
  /** The permission that a key needs. */
  permission: `${string}:write`;
  tag: string;
  summary: string;
  description?: string;
  /** The member that wraps the body's fields; absent: none. */
  wrapper?: string;
  /** Works in a sandbox after `src/api-examples.ts`; absent: its example is there. */
  example?: Example;
  /** Loaded by the API alone, because answers' shapes load slowly. */
  answers(): Promise<{
    status: number;
    /** JSON Schema. */
    schema: object;
    presents(outcome: Outcome, input: Filled<M>): unknown;
  }>;
}

/** The operation's command line. */
export interface CommandLine<M extends Members> {
  /** Members without a flag, in order. */
  arguments?: readonly (keyof M & string)[];
  /** Flags not named like their member. */
  flags?: Partial<Readonly<Record<keyof M & string, string>>>;
  /** Members whose flag `--no-…` stands for a word; its help is the text `<member>.no`. */
  noFlags?: Partial<Readonly<Record<keyof M & string, string>>>;
}

/** A row as commands print it. */
export type Cells = Record<string, string | number | null>;

/** The parts of a command that its form lacks. */
interface CommandShape<M extends Members, Outcome> extends CommandLine<M> {
  /** Names the acting operator by e-mail address: always, or optionally. */
  operator?: 'always' | 'may';
  /** The answer in `done` and `--json`, with amounts in pesos; the outcome's word is added. */
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
