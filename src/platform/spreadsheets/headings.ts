import { toAscii } from '../../kernel/text.ts';
import { refusal } from './codes.ts';
import type { SheetField } from './fields.ts';

/** Column of each field, from 0. Null if it has none. */
export type Matched = Readonly<Record<string, number | null>>;

/** Words to ignore in headings. */
const empty = new Set(['de', 'del', 'la', 'el', 'los', 'las', 'al', 'en', 'of', 'the', 'ars']);

/** Spellings of "number", including N°. */
const number = new Set(['n', 'no', 'nro', 'num', 'numero', 'number']);

/** Normalizes a heading: no accents, case, punctuation or ignored words. */
const plainHeading = (heading: string): string =>
  toAscii(heading)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter((word) => !empty.has(word))
    .map((word) => (number.has(word) ? 'nro' : word))
    .join(' ');

/** Returns the headings that occur once, because repeated ones are ambiguous. */
function singleHeadings(columns: readonly string[]): Map<string, number> {
  const places = Map.groupBy(columns.keys(), (place) => plainHeading(columns[place] ?? ''));
  return new Map(
    [...places].flatMap(([heading, all]) =>
      heading !== '' && all.length === 1 ? [[heading, all[0] ?? 0]] : [],
    ),
  );
}

const ownWordsOf = ({ name, label }: SheetField): string[] =>
  [name, label.es, label.en].map(plainHeading);

const wordsOf = (field: SheetField): string[] => [
  ...ownWordsOf(field),
  ...field.words.map(plainHeading),
];

/**
 * Suggests a column for each field: by the account's earlier choices, then by usual headings. A
 * column serves at most one field. If a field has a column, its alternative (`or`) is matched only
 * by its own name or label.
 */
export function suggestMatch(
  fields: readonly SheetField[],
  columns: readonly string[],
  remembered: ReadonlyMap<string, string | null>,
): Matched {
  const headings = singleHeadings(columns);
  const taken = new Set<number>();
  const matched: Record<string, number | null> = {};
  const take = (name: string, place: number | undefined): void => {
    if (place === undefined || taken.has(place) || matched[name] != null) return;
    taken.add(place);
    matched[name] = place;
  };
  for (const { name } of fields) matched[name] = null;
  for (const [heading, place] of headings) {
    const field = remembered.get(heading);
    if (field != null && field in matched) take(field, place);
  }
  for (const field of fields) {
    const spare = fields.some(({ name, or }) => or === field.name && matched[name] !== null);
    for (const word of spare ? ownWordsOf(field) : wordsOf(field)) {
      // A column that the user excluded before stays unmatched.
      if (remembered.get(word) === undefined) take(field.name, headings.get(word));
    }
  }
  return matched;
}

/** Returns a match to remember: each heading with its field, or with null. */
export function headingsOf(
  columns: readonly string[],
  matched: Matched,
): Map<string, string | null> {
  const fieldAt = new Map(
    Object.entries(matched).flatMap(([name, place]) => (place === null ? [] : [[place, name]])),
  );
  return new Map(
    [...singleHeadings(columns)].map(([heading, place]) => [heading, fieldAt.get(place) ?? null]),
  );
}

/** Returns required fields without a column. */
export const missingFields = (
  fields: readonly SheetField[],
  matched: Matched,
): readonly SheetField[] =>
  fields.filter(
    ({ name, required, or = name }) =>
      required && (matched[name] ?? null) === null && (matched[or] ?? null) === null,
  );

function surePlace(field: SheetField, headings: readonly string[]): number | null {
  const placesOf = (names: readonly string[]): number[] =>
    [...headings.keys()].filter((place) => names.includes(headings[place] ?? ''));
  const own = placesOf([plainHeading(field.name)]);
  const places = own.length > 0 ? own : placesOf(wordsOf(field));
  if (places.length < 2) return places[0] ?? null;
  throw refusal('spreadsheet.same_heading', { field: field.name });
}

/**
 * Matches a spreadsheet without a review. A column named like the field wins, then the only one
 * with a usual heading. Throws a Refusal if two columns qualify, or a required one is missing.
 */
export function sureMatch(fields: readonly SheetField[], columns: readonly string[]): Matched {
  const headings = columns.map(plainHeading);
  const matched = Object.fromEntries(
    fields.map((field) => [field.name, surePlace(field, headings)]),
  );
  const missing = missingFields(fields, matched).map(({ name }) => name);
  if (missing.length === 0) return matched;
  throw refusal('spreadsheet.missing_headings', { missing: missing.join(', ') });
}
