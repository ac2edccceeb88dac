import type { Texts } from '../language/said.ts';
import type { Actor } from './actor.ts';
import { type DeclaredText, textsUnder } from './declared-texts.ts';
import { type Filled, type Form, form, type Members } from './http/form.ts';

/**
 * One thing that a person does, declared once for every way to do it: who may, what it takes, the
 * verb, and the words. See `src/cli/operation.ts` and `src/portal/frame/operation.tsx` for its doors.
 */
export interface Operation<
  M extends Members = Members,
  Verb = never,
  Outcome = unknown,
  Act extends string = string,
> {
  /** As `suspense.assign`. */
  name: string;
  /** The act: `src/users/acts.ts` says which roles may do it, and how. */
  act: Act;
  members: M;
  form: Form<Filled<M>>;
  run(verb: Verb, input: Filled<M>, actor: Actor): Promise<Outcome>;
  /** Left out: there is no command for it. */
  command?: CommandShape<M, Outcome>;
  /** Of its noun: `<name>.does`, `.submit`, one for each member, and `.done` with its answer. */
  texts: Texts;
  text: DeclaredText;
}

/** The operation's command line. */
export interface CommandLine<M extends Members> {
  /** Members that stand without a flag, in their order. */
  arguments?: readonly (keyof M & string)[];
  /** Flags that are not called as their member. */
  flags?: Partial<Readonly<Record<keyof M & string, string>>>;
}

/** The parts of a command that the form does not say. */
interface CommandShape<M extends Members, Outcome> extends CommandLine<M> {
  /** It names the operator who acts, by e-mail address: always, or where the caller wants to. */
  operator?: 'always' | 'may';
  /**
   * The answer in `done` and `--json`, with amounts in pesos; the outcome's one word comes on top.
   */
  shows(input: Filled<M>, outcome: Outcome): Readonly<Record<string, unknown>>;
}

type Declared<M extends Members, Verb, Outcome, Act extends string> = Omit<
  Operation<M, Verb, Outcome, Act>,
  'members' | 'form' | 'text'
> & { takes: M };

export function operation<M extends Members, Verb, Outcome, const Act extends string>({
  takes,
  ...declared
}: Declared<M, Verb, Outcome, Act>): Operation<M, Verb, Outcome, Act> {
  const { name, texts } = declared;
  return { ...declared, members: takes, form: form(takes), text: textsUnder(name, texts) };
}
