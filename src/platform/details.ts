import type { Texts } from '../language/localized-text.ts';
import type { Base } from './base.ts';
import type { Filled, Members } from './http/form.ts';
import type { Cells, CommandLine } from './operations.ts';

type Facts = Readonly<Record<string, unknown>>;

/** One entity in full, declared once for a command. */
export interface Detail<M extends Members, Act extends string = string, F extends Facts = Facts> {
  /** Such as `request.show`. */
  name: string;
  act: Act;
  takes: M;
  command: CommandLine<M>;
  /** Returns the facts by their names in `--json`. Throws 404 for an unknown entity. */
  facts(base: Base, input: Filled<M>): Promise<F>;
  /** A fact that text output shows as a table below the others. */
  table?: { of: keyof F & string; rows(facts: F): Cells[] };
  /** Texts of the noun: `<name>.does`, and one per member. */
  texts: Texts;
}

export const detail = <M extends Members, const Act extends string, F extends Facts>(
  declared: Detail<M, Act, F>,
): Detail<M, Act, F> => declared;
