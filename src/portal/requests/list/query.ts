import type { LocalizedText } from '../../../language/localized-text.ts';
import {
  listOrders,
  type PaymentRequestSearch,
  type SearchName,
  searchForm,
} from '../../../payment-requests/index.ts';
import { walkFaults } from '../../../platform/errors.ts';
import { amountOf, dayTextOf } from '../../../platform/spreadsheets/cells.ts';

/** Filters of an address, in order of display. */
export const filterNames = [
  'q',
  'state',
  'created_at_gte',
  'created_at_lte',
  'first_due_date_gte',
  'first_due_date_lte',
  'first_total_gte',
  'first_total_lte',
  'channel',
  'external_reference',
] as const satisfies readonly SearchName[];

export type FilterName = (typeof filterNames)[number];

export type FilterValues = Readonly<Partial<Record<FilterName, string>>>;

/** Submitted and parsed filters of an address. */
export interface ListQuery {
  values: FilterValues;
  /** The order in the address. '' is newest first. */
  sort: string;
  /** Null if a filter is invalid. */
  search: PaymentRequestSearch | null;
  faults: Readonly<Partial<Record<string, string | LocalizedText>>>;
}

const isFilter = (name: string): name is FilterName => filterNames.some((known) => known === name);

/** Returns the filters of an address. The last value of a name counts. */
export const valuesIn = (query: URLSearchParams): FilterValues =>
  Object.fromEntries(
    [...query]
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([name, value]) => isFilter(name) && value !== ''),
  );

/** Converts amounts and days as people type them to the API's formats. */
function plain(name: string, value: string): string {
  if (name.startsWith('first_total')) return amountOf(value);
  return name.includes('_at_') || name.includes('_date_') ? dayTextOf(value) : value;
}

export function readListQuery(query: URLSearchParams): ListQuery {
  const values = valuesIn(query);
  const typed = Object.entries(values).map(([name, value]) => [name, plain(name, value)]);
  const before = query.get('before');
  const sort = listOrders.find((known) => known === query.get('sort')) ?? '';
  const read = searchForm.parse({
    ...Object.fromEntries(typed),
    ...(sort && { sort }),
    ...(before && { before }),
  });
  if (read.ok) return { values, sort, search: read.value, faults: {} };
  const faults = walkFaults(read.children ?? {}).map(({ path, localized, message }) => [
    path[0],
    localized ?? message,
  ]);
  return { values, sort, search: null, faults: Object.fromEntries(faults) };
}

/** Returns the parameter of the order, if the address has one. */
export const sortOf = ({ sort }: Pick<ListQuery, 'sort'>): Readonly<Record<string, string>> =>
  sort === '' ? {} : { sort };

/** Formats filters as a query, always in the same order. */
export function queryOf(values: FilterValues, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams();
  for (const name of filterNames) {
    const value = values[name];
    if (value !== undefined) query.set(name, value);
  }
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns true if an address has an empty filter, as submitted forms do. */
export const saysNothing = (query: URLSearchParams): boolean =>
  [...query].some(([name, value]) => isFilter(name) && value.trim() === '');
