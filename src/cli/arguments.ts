import { type Command, InvalidArgumentError } from 'commander';
import { day, integer, line } from '../platform/http/fields.ts';
import type { Field } from '../platform/http/form.ts';

/**
 * Parses an argument by a field's rules. Commas separate the items of a list. Throws commander's
 * error with the field's faults.
 */
export const reading =
  <T>(field: Field<T>) =>
  (text: string): T => {
    const isList = field.schema.type === 'array' && field.typed !== undefined;
    const parsed = field.parse(isList ? field.typed?.(text) : text);
    if (parsed.ok) return parsed.value;
    throw new InvalidArgumentError((parsed.errors ?? []).join(' '));
  };

export const dayIn = reading(day({ iso: true }));

/** Parses a row's id, as listings print it. Accepts 0 too, for `--after`. */
export const idIn = reading(integer({ min: 0, max: 999_999_999_999_999, digits: true }));

const limitIn = reading(integer({ min: 1, max: 10_000, digits: true }));

export interface PageOptions {
  after: number;
  limit: number;
  json?: boolean;
}

/** Adds the paging options of a listing in id order. */
export const paged = (command: Command): Command =>
  command
    .option('--after <id>', 'only entries after this number', idIn, 0)
    .option('--limit <count>', 'maximum number of entries, up to 10000', limitIn, 100)
    .option('--json', 'as JSON');

/** A reason, stored with the change. */
export const reasonIn = reading(line({ max: 255 }));

/** The operator's idempotency key. */
export const referenceIn = reading(line({ max: 64 }));
