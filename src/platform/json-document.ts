import type { DocumentFault, MalformedDocument } from '../kernel/malformed-document.ts';
import type { LocalizedText } from '../language/localized-text.ts';
import { fault } from './codes.ts';

const codes = {
  bound: 'document.bound',
  ends_early: 'document.ends_early',
  not_object: 'document.not_object',
  more_follows: 'document.more_follows',
  not_json: 'document.not_json',
  rest_too_large: 'document.rest_too_large',
  list_not_array: 'document.list_not_array',
  list_twice: 'document.list_twice',
  brace_unopened: 'document.brace_unopened',
  too_many_items: 'document.too_many_items',
  item_not_json: 'document.item_not_json',
  item_too_large: 'document.item_too_large',
  name_twice: 'document.name_twice',
} as const satisfies Record<DocumentFault, string>;

/** Returns what is wrong with a JSON document, for its sender. */
export const documentText = (error: MalformedDocument): LocalizedText =>
  fault(codes[error.fault], error.parameters as never);
