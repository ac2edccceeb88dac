import { type Language, Said, type Texts } from '../language/said.ts';
import type { Actor } from './actor.ts';
import { type Filled, type Form, form, type Members } from './http/form.ts';

/**
 * One thing that a person does, declared once for every way to do it: who may, what it takes, the
 * verb, and the words. See `src/cli/operation.ts` and `src/portal/frame/operation.tsx` for its doors.
 */
export interface Operation<
  M extends Members = Members,
  Verb = never,
  Outcome extends string = string,
  Act extends string = string,
> {
  /** As `suspense.assign`. */
  name: string;
  /** Whose act it is: `src/users/acts.ts` says which roles do it, and how. */
  act: Act;
  members: M;
  form: Form<Filled<M>>;
  run(verb: Verb, input: Filled<M>, actor: Actor): Promise<Outcome>;
  /** Left out: there is no command for it. */
  command?: CommandShape<M>;
  /** Of its noun: `<name>.does`, `.submit`, one for each member, and `.done` with its outcome. */
  texts: Texts;
  /** One of these; null: there is none. */
  text(
    key: string,
    language: Language,
    parameters?: Readonly<Record<string, unknown>>,
  ): string | null;
}

/** The parts of a command that the form does not say. */
interface CommandShape<M extends Members> {
  /** Members that stand without a flag, in their order. */
  arguments?: readonly (keyof M & string)[];
  /** Flags that are not called as their member. */
  flags?: Partial<Readonly<Record<keyof M & string, string>>>;
  /** The part of the input that its answer repeats, in `done` and `--json`: amounts in pesos. */
  shows(input: Filled<M>): Readonly<Record<string, unknown>>;
}

type Declared<M extends Members, Verb, Outcome extends string, Act extends string> = Omit<
  Operation<M, Verb, Outcome, Act>,
  'members' | 'form' | 'text'
> & { takes: M };

export function operation<
  M extends Members,
  Verb,
  Outcome extends string,
  const Act extends string,
>({ takes, ...declared }: Declared<M, Verb, Outcome, Act>): Operation<M, Verb, Outcome, Act> {
  const { name, texts } = declared;
  return {
    ...declared,
    members: takes,
    form: form(takes),
    text(key, language, parameters = {}) {
      const whole = `${name}.${key}`;
      if (texts[language][whole] === undefined) return null;
      const spec = Object.fromEntries(Object.keys(parameters).map((one) => [one, 'text'] as const));
      return new Said({ key: whole, texts, spec }, parameters).in(language);
    },
  };
}
