import type { BoundFault } from './json-bounds.ts';

/**
 * The faults of a document, with the parameters of their texts. `at` is a zero-based byte position.
 */
export interface DocumentFaults {
  bound: BoundFault & { at: number };
  ends_early: { at: number };
  not_object: { at: number };
  more_follows: { at: number };
  not_json: { outside: 'yes' | 'no'; list: string };
  rest_too_large: { list: string; max: number };
  list_not_array: { list: string };
  list_twice: { list: string; at: number };
  brace_unopened: { at: number };
  too_many_items: { list: string; max: number };
  item_not_json: { index: number; at: number };
  item_too_large: { index: number; at: number; max: number };
  name_twice: { name: string };
}
export type DocumentFault = keyof DocumentFaults;

/** `documentText` of the platform formats it. `offset` is the fault's zero-based byte position. */
export class MalformedDocument<Fault extends DocumentFault = DocumentFault> extends Error {
  readonly fault: Fault;
  readonly parameters: DocumentFaults[Fault];
  readonly offset: number;
  constructor(fault: Fault, parameters: DocumentFaults[Fault], offset: number) {
    super(`${fault} at byte ${offset}`);
    this.fault = fault;
    this.parameters = parameters;
    this.offset = offset;
  }
}

/** The list has too many items. The rest is unchecked. */
export class TooManyItems extends MalformedDocument<'too_many_items'> {}
