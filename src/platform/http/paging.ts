import { endOf, midnightOf } from '../../kernel/dates.ts';
import type { Refusal } from '../errors.ts';
import { mostCounted, type PageFrom } from '../list-page.ts';
import { fault } from './codes.ts';
import { day, integer, text } from './fields.ts';
import { type Filled, type Members, optional, refuseField } from './form.ts';

const id = integer({ min: 0, max: Number.MAX_SAFE_INTEGER, digits: true });

/** Query parameters of every list: paging, and the filters that all lists share. */
export const pageMembers = {
  page: optional(integer({ min: 1, max: 1_000_000, digits: true })),
  limit: optional(integer({ min: 1, max: 100, digits: true })),
  after: optional(id),
  id: optional(id),
  external_reference: optional(text({ max: 255 })),
  created_at_gte: optional(day()),
  created_at_lte: optional(day()),
};

type PageQuery = Filled<typeof pageMembers>;

const isSent = (value: unknown): boolean => value !== null && value !== undefined;

export const pageRules = ({ after, page }: Partial<PageQuery>) => ({
  after: isSent(after) && isSent(page) ? fault('field.page_and_after', {}) : undefined,
});

/** Returns the 400 for an `after` that is not in the list. */
export const unknownAfter = (members: Members & typeof pageMembers): Refusal =>
  refuseField(members)('after', fault('field.after_unknown', {}));

/** Part of a list to read. `page` is null for cursor paging, which needs no count. */
export interface Page {
  page: number | null;
  limit: number;
  from: PageFrom;
}

const defaultLimit = 25;

export function pageOf({ page, limit, after }: PageQuery): Page {
  const size = limit ?? defaultLimit;
  if (after !== null) return { page: null, limit: size, from: { after } };
  const number = page ?? 1;
  return { page: number, limit: size, from: { offset: (number - 1) * size } };
}

/**
 * Returns the queried days of creation as instants: the start of the first, and the end of the
 * last.
 */
export const createdIn = (query: PageQuery) => ({
  createdFrom: query.created_at_gte && midnightOf(query.created_at_gte),
  createdBefore: query.created_at_lte && endOf(query.created_at_lte),
});

/** A page of a list. Only numbered pages are counted. */
export interface PagedList<Row> extends Page {
  rows: Row[];
  totalCount: number | null;
}

/** Text in the reference for every list of payment requests, mandates and debits. */
export const listDescription =
  'Items are in creation order, which is nearly that of their ids; new items come last, so reading ' +
  'on from the last item neither misses nor repeats one. Filters may be combined; each has an index. ' +
  'Names match regardless of case and accents. Numbered pages include the exact total_count ' +
  `up to ${mostCounted}, and omit it above that. With \`after\` (the id of the last item read, or 0 ` +
  'to start) the list continues after that item without total_count, and stays fast on any page.';

export const presentPage = <Row>(
  { rows, page, limit, totalCount }: PagedList<Row>,
  present: (row: Row) => unknown,
) => ({
  ...(page !== null && { current_page: page }),
  items_per_page: limit,
  ...(totalCount !== null && { total_count: totalCount }),
  data: rows.map(present),
});
