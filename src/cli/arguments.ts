import { type Command, InvalidArgumentError } from 'commander';
import { day, integer, line } from '../platform/http/fields.ts';
import type { Field } from '../platform/http/form.ts';

/** Parses an argument as a field. The refusal names the allowed values. */
export const reading =
  <T>(field: Field<T>) =>
  (text: string): T => {
    const parsed = field.parse(text);
    if (parsed.ok) return parsed.value;
    throw new InvalidArgumentError((parsed.errors ?? []).join(' '));
  };

export const dayIn = reading(day({ iso: true }));

/** Parses a row's number, as in listings. `--after` also accepts 0. */
export const idIn = reading(integer({ min: 0, max: 999_999_999_999_999, digits: true }));

const limitIn = reading(integer({ min: 1, max: 10_000, digits: true }));

/** The requested page of a listing. */
export interface PageOptions {
  after: number;
  limit: number;
  json?: boolean;
}

/** Adds the paging options of a listing in id order. */
export const paged = (command: Command): Command =>
  command
    .option('--after <id>', 'only entries after this number', idIn, 0)
    .option('--limit <count>', 'largest number of entries', limitIn, 100)
    .option('--json', 'as JSON');

/** A reason, stored with the change. */
export const reasonIn = reading(line({ max: 255 }));

/** The operator's idempotency key. */
export const referenceIn = reading(line({ max: 64 }));
