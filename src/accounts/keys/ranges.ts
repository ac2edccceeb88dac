import { type Field, fail } from '../../platform/http/form.ts';
import { normalNetwork } from '../../platform/http/networks.ts';
import { refusals } from '../codes.ts';

/** Maximum number of address ranges per key. */
export const mostRanges = 50;

/** Longer texts cannot be addresses. */
const longestRange = 60;

const shortened = (text: string): string =>
  text.length > longestRange ? `${text.slice(0, longestRange).toWellFormed()}…` : text;

/** The word that removes the limit, in commands and forms. */
const anywhere = 'any';

const expectation = refusals.fault('api_key.ranges_wanted', { most: mostRanges });

/**
 * Addresses and CIDR ranges, separated by commas, spaces or line breaks, in normal form without
 * duplicates. `any` means no limit, and becomes an empty list.
 */
export const addressRanges: Field<string[]> = {
  schema: { type: 'string' },
  expectation,
  asks: 'lines',
  parse(value) {
    const words = String(value)
      .split(/[\s,]+/)
      .filter((word) => word !== '');
    if (words.length === 0) return fail(expectation);
    if (words.length === 1 && words[0] === anywhere) return { ok: true, value: [] };
    if (words.length > mostRanges) {
      return fail(
        refusals.fault('api_key.ranges_too_many', { most: mostRanges, sent: words.length }),
      );
    }
    const wrong = words.find((word) => normalNetwork(word) === null);
    if (wrong !== undefined) {
      return fail(refusals.fault('api_key.range_malformed', { value: shortened(wrong) }));
    }
    return { ok: true, value: [...new Set(words.flatMap((word) => normalNetwork(word) ?? []))] };
  },
};
