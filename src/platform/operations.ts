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

/** Why an operation that is sent twice does its work once. */
export type Repeat =
  /** It is so already. */
  | 'natural'
  /** A member names the act. */
  | 'reference'
  /** The key of the call, or of the form, is claimed. */
  | 'claim'
  /** It is done once more each time: why that harms nobody. */
  | { again: string };

/** Place of an operation in the API, with the permission `write`. */
export interface ApiShape<M extends Members, Outcome> {
  /** Its name in the OpenAPI document. */
  id: string;
  method: 'POST' | 'PUT' | 'DELETE';
  /** Members in it as `:id`; the others are the body. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** The member of the body that holds the fields; left out: the body does. */
  wrapper?: string;
  /**
   * It succeeds in a sandbox behind all of `src/api-examples.ts`; left out: its example is there.
   */
  example?: Example;
  /** Loaded by the API alone: shapes of answers take long to load. */
  answers(): Promise<{
    status: number;
    /** JSON Schema. */
    schema: object;
    presents(outcome: Outcome, input: Filled<M>): unknown;
  }>;
}

/** The operation's command line. */
export interface CommandLine<M extends Members> {
  /** Members that stand without a flag, in their order. */
  arguments?: readonly (keyof M & string)[];
  /** Flags that are not called as their member. */
  flags?: Partial<Readonly<Record<keyof M & string, string>>>;
  /** Members with a flag `--no-…` that stands for a word. Its help is the text `<member>.no`. */
  noFlags?: Partial<Readonly<Record<keyof M & string, string>>>;
}

/** A row as commands print it. */
export type Cells = Record<string, string | number | null>;

/** The parts of a command that its form lacks. */
interface CommandShape<M extends Members, Outcome> extends CommandLine<M> {
  /** It names the operator who acts, by e-mail address: always, or where the caller wants to. */
  operator?: 'always' | 'may';
  /**
   * The answer in `done` and `--json`, with amounts in pesos; the outcome's one word comes on top.
   */
  shows?(input: Filled<M>, outcome: Outcome): Readonly<Record<string, unknown>>;
  /** Returns rows, in place of `shows`. */
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
