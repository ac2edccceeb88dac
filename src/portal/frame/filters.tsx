import { formatDay, parseDayOrIso, parseIsoDay } from '../../kernel/dates.ts';
import type { Centavos } from '../../kernel/money.ts';
import { sum } from '../../platform/http/fields.ts';
import { type Choice, SelectField, TextField } from '../../platform/pages/components/field.tsx';
import { FilterBar } from '../../platform/pages/components/filter-bar.tsx';
import { Pager } from '../../platform/pages/components/parts.tsx';
import type { AccountVisit } from './visit.ts';

// Filters of a list. They are part of its address and appear as fields, and as chips that remove
// them.

interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

export type Filter = FilterField &
  (
    | { readonly kind: 'text' }
    | { readonly kind: 'day' }
    | { readonly kind: 'choice'; readonly choices: readonly Choice[]; readonly none: string }
  );

/** Returns the day in a query, or null. */
export const dayIn = (query: URLSearchParams, name: string): Temporal.PlainDate | null =>
  parseIsoDay(query.get(name) ?? '');

/** Parses a submitted day. Returns null if it is empty, undefined if malformed. */
export const typedDay = (text: string): Temporal.PlainDate | null | undefined =>
  text === '' ? null : (parseDayOrIso(text) ?? undefined);

const pesos = sum();

/** Parses a positive amount as people type it, such as `$ 1.430,50`. Null if malformed. */
export function typedPesos(text: string): Centavos | null {
  const read = pesos.parse(pesos.typed?.(text));
  return read.ok ? read.value : null;
}

/** Returns the choice in a query, or null. */
export const chosenIn = (
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | null => choices.find(({ value }) => value === query.get(name)) ?? null;

/** Describes an active filter. Returns null if it is inactive. */
function activeText(query: URLSearchParams, filter: Filter): string | null {
  if (filter.kind === 'choice') return chosenIn(query, filter.name, filter.choices)?.label ?? null;
  if (filter.kind === 'day') {
    const day = dayIn(query, filter.name);
    return day && formatDay(day);
  }
  const text = (query.get(filter.name) ?? '').trim();
  return text === '' ? null : text;
}

export const isFiltered = (query: URLSearchParams, filters: readonly Filter[]): boolean =>
  filters.some((filter) => activeText(query, filter) !== null);

/**
 * Returns the list's address with one parameter changed, or removed by null. Restarts at the first
 * page.
 */
export function listAt(
  { path, query }: Pick<AccountVisit, 'path' | 'query'>,
  name: string,
  value: string | null,
): string {
  const parameters = new URLSearchParams(query);
  parameters.delete('behind');
  if (value === null) parameters.delete(name);
  else parameters.set(name, value);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

type ListPagerProps = {
  visit: Pick<AccountVisit, 'lang' | 'path' | 'query'>;
  /** The last place of this page. Null on the last page. */
  next: string | number | null;
};

/** Links the pages of a list that keeps its place in the address. */
export const ListPager = ({ visit, next }: ListPagerProps) => (
  <Pager
    lang={visit.lang}
    first={visit.query.has('behind') ? listAt(visit, 'behind', null) : undefined}
    next={next === null ? undefined : listAt(visit, 'behind', String(next))}
  />
);

type FiltersProps = { visit: AccountVisit; filters: readonly Filter[] };

export function Filters({ visit, filters }: FiltersProps) {
  const { lang, path, query } = visit;
  const chips = filters.flatMap((filter) => {
    const text = activeText(query, filter);
    return text === null
      ? []
      : [{ label: `${filter.label}: ${text}`, without: listAt(visit, filter.name, null) }];
  });
  return (
    <FilterBar lang={lang} action={path} chips={chips}>
      {filters.map((filter) => (
        <FilterInput key={filter.name} visit={visit} filter={filter} />
      ))}
    </FilterBar>
  );
}

function FilterInput({ visit, filter }: { visit: AccountVisit; filter: Filter }) {
  const { lang, query } = visit;
  const { name, label, hint } = filter;
  const field = { lang, name, label, ...(hint !== undefined && { hint }) };
  if (filter.kind === 'choice') {
    const value = chosenIn(query, name, filter.choices)?.value ?? '';
    return <SelectField {...field} none={filter.none} choices={filter.choices} value={value} />;
  }
  if (filter.kind === 'day') {
    return <TextField {...field} type="date" value={dayIn(query, name)?.toString() ?? ''} />;
  }
  return <TextField {...field} type="search" value={query.get(name) ?? ''} maxLength={100} />;
}
