import { type Command, InvalidArgumentError } from 'commander';
import { parseDayOrIso } from '../kernel/dates.ts';
import { directionControl, hasControl, isBlank, lengthOf } from '../kernel/text.ts';

/** Parsers of command-line arguments; each refusal names the allowed values. */

export const dayIn = (text: string): Temporal.PlainDate => {
  const day = parseDayOrIso(text);
  if (day) return day;
  throw new InvalidArgumentError('It must be a day of the calendar, dd-mm-yyyy.');
};

export const idIn = (text: string): number => {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number, as the listing shows it.');
};

const mostListed = 10_000;

const limitIn = (text: string): number => {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= mostListed) return limit;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostListed}.`);
};

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

const textIn = (most: number) => (text: string) => {
  const isLine = !hasControl(text, { lineBreaks: false }) && directionControl(text) === null;
  if (!isBlank(text) && lengthOf(text) <= most && isLine) return text.trim();
  throw new InvalidArgumentError(`It must be a text of 1 to ${most} characters in one line.`);
};

/** A reason, stored with the change. */
export const reasonIn = textIn(255);

/** The operator's idempotency key. */
export const referenceIn = textIn(64);
