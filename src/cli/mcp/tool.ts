import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { Static, TObject } from 'typebox';
import type { Recaudo } from '../../../clients/typescript/src/index.ts';
import type { Explanation } from './reference.ts';

export interface Means {
  recaudo: Recaudo;
  /** The explanations of error codes, by code. */
  codes: () => Promise<ReadonlyMap<string, Explanation>>;
}

interface ToolOf<Input extends TObject> {
  name: string;
  title: string;
  /** Describes to the agent when to use the tool, and what to know first. */
  description: string;
  input: Input;
  hints: ToolAnnotations;
  /** Offered in sandboxes only. */
  sandboxOnly?: boolean;
  /** Calls no service. */
  local?: boolean;
  run(means: Means, args: Static<Input>): Promise<object>;
}

export type Tool = ToolOf<TObject>;

/** Ties the arguments of `run` to the schema of the input. */
export const tool = <Input extends TObject>(one: ToolOf<Input>): Tool => one as unknown as Tool;

export const hints = {
  reads: { readOnlyHint: true, openWorldHint: false },
  /** Creates something, but removes and ends nothing. */
  adds: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  /** Moves money or ends something irreversibly. */
  movesMoney: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
} as const;
