import { compareDays } from '../../kernel/dates.ts';
import { haveParts, searchWordsOf } from '../../kernel/search-words.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { allOf } from '../../platform/postgres/lists.ts';
import { conditionsOf, ownerIs, type RequestFilters, soughtIn } from '../list.ts';
import type { RequestRow } from '../row.ts';
import { requestColumns } from '../store.ts';
import {
  findPassing,
  findWords,
  type Sample,
  sampleWords,
  type WordSearch,
  walkWords,
} from './search.ts';
import { searchedWords, withoutWords } from './store.ts';
import {
  behind,
  type NamedRequests,
  orderOf,
  type RequestOrder,
  spotOf,
  walkFiltered,
  walkOf,
} from './walk.ts';

/** Number of newest rows to scan before using the index. */
const mostNear = 2_000;
/** Parts more frequent than this in the sample are not looked up in the index. */
const rareShare = 0.05;
/** Index entries read in the time of one table row. */
const placesOfRow = 80;
/** Above this many matches, walk from the newest instead of sorting. */
const mostSorted = 20_000;
/** Maximum number of unindexed requests compared directly, newest first. */
const mostCompared = 2_000;
/** Maximum number of search words. Further ones are ignored. */
const mostParts = 8;

/** Maximum number of matches of a text that are sorted and totaled. */
export const mostOrdered = 1_000;

/** A search in an account's requests of a kind, newest first by default. */
export interface RequestQuery<Kind extends RequestRow['kind']> {
  accountId: string;
  kind: Kind;
  /**
   * Words of payer, reference, description, email and a QR's id, the beginnings of such words, or
   * parts of at least three letters. Alternatively, an entire id. '' matches all, except QRs, whose
   * lists have no index.
   */
  text: string;
  filters: RequestFilters;
  /** Restricts the search to requests that another noun names. */
  named?: NamedRequests | null;
  /** Ignored for a text that matches more than `mostOrdered`. */
  order?: RequestOrder | null;
  /** Cursor: the last id of the previous page. Null starts at the first. */
  before: number | null;
  limit: number;
  today: Temporal.PlainDate;
}

type Fragment = ReturnType<Queryable>;
type Conditions = (ReturnType<Queryable> | null)[];

/**
 * Returns the parts to look up together: the rarest, and others as long as each costs less than
 * it saves. Returns null if all are frequent.
 */
function rareParts(parts: readonly string[], { having, looked, matching }: Sample) {
  if (matching > looked * rareShare) return null;
  // A word absent from a sample can still be as frequent as one sampled row implies.
  const [rarest, ...others] = parts
    .map((part, place) => ({ part, share: ((having[place] ?? 0) + 1) / (looked + 1) }))
    .toSorted((a, b) => a.share - b.share);
  if (!rarest) return null;
  const chosen = [rarest.part];
  let left = rarest.share;
  for (const { part, share } of others) {
    if (share >= left * (1 - share) * placesOfRow) break;
    chosen.push(part);
    left *= share;
  }
  return left > rareShare ? null : chosen;
}

/**
 * Finds matches among the newest rows, then by the index of rare words, then by selective filters.
 * Frequent words with weak filters are matched by walking.
 */
async function findIndexed(sql: Queryable, search: WordSearch, limit: number): Promise<number[]> {
  const newest = await walkWords(sql, search, { limit, within: mostNear });
  if (newest.length === limit) return newest;
  const sample = await sampleWords(sql, search, { near: mostNear });
  if (sample.few) return newest;
  const by = rareParts(search.parts, sample);
  return (
    (by && (await findWords(sql, search, { by, limit, most: mostSorted }))) ??
    (await findPassing(sql, search, { limit, most: mostSorted })) ??
    (await walkWords(sql, search, { limit, within: null }))
  );
}

async function findByWords(
  sql: Queryable,
  owner: ReturnType<Queryable>,
  conditions: Conditions,
  search: Omit<WordSearch, 'where'> & { limit: number },
): Promise<number[]> {
  const { accountId, parts, before, limit } = search;
  const all = allOf(sql, owner, conditions);
  const filtered = conditions.some((condition) => condition !== null);
  // Unindexed requests first, because one that is indexed in between is then found by its words.
  const where = sql`${all} and id < ${before}`;
  const late = await withoutWords(sql, accountId, { where, most: mostCompared });
  const matching = late.filter((row) => haveParts(searchedWords(row), parts));
  const indexed = await findIndexed(sql, { ...search, where: filtered ? all : null }, limit);
  return [...indexed, ...matching.map(({ id }) => id)];
}

/** Returns the id in a search text, or null. */
const namedId = (text: string): number | null =>
  /^\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : null;

/** Finds by parts of words or an entire id, newest first. */
export async function findByText<Kind extends RequestRow['kind']>(
  sql: Queryable,
  { accountId, kind, text, filters, named, before, limit, today }: RequestQuery<Kind>,
): Promise<number[]> {
  const below = before ?? Number.MAX_SAFE_INTEGER;
  const owner = ownerIs(sql, accountId, kind);
  const conditions = [...conditionsOf(sql, kind, filters, today), named?.has ?? null];
  const parts = searchWordsOf(text).slice(0, mostParts);
  if (parts.length === 0) return [];
  const passing = soughtIn(sql, kind, filters);
  const search = { accountId, kind, parts, before: below, limit, passing };
  const found = await findByWords(sql, owner, conditions, search);
  const id = namedId(text);
  if (id === null || id >= below) return found;
  const own = await sql<{ id: number }[]>`
    select id from requests r where ${allOf(sql, owner, conditions)} and id = ${id}`;
  return [...found, ...own.map((row) => row.id)];
}

/** Finds by text in an order, or newest first if there are too many matches to sort. */
async function findTextInOrder<Row extends RequestRow>(
  sql: Queryable,
  sought: RequestQuery<Row['kind']>,
  order: RequestOrder | null,
): Promise<Row[]> {
  const { accountId, kind, before, limit } = sought;
  const owner = ownerIs(sql, accountId, kind);
  const read = (ids: readonly number[], behindIt: Fragment | null, by: Fragment) => sql<Row[]>`
    select ${requestColumns(sql)} from requests r
    where ${allOf(sql, owner, [behindIt])} and id = any(${[...ids]}::bigint[]) ${by} limit ${limit}`;
  if (order !== null) {
    const all = await findByText(sql, { ...sought, before: null, limit: mostOrdered + 1 });
    const walk = walkOf(sought.filters, order);
    const after = behind(sql, walk, before, await spotOf(sql, owner, walk, before));
    if (all.length <= mostOrdered) return await read(all, after, orderOf(sql, walk));
  }
  return await read(await findByText(sql, sought), null, sql`order by r.id desc`);
}

/** Limits overdue requests to due days up to yesterday, so that a walk by day starts there. */
export function whileDue(filters: RequestFilters, today: Temporal.PlainDate): RequestFilters {
  if (!filters.overdue) return filters;
  const yesterday = today.subtract({ days: 1 });
  const { dueUntil } = filters;
  const isLater = dueUntil === null || compareDays(dueUntil, yesterday) > 0;
  return { ...filters, dueUntil: isLater ? yesterday : dueUntil };
}

/**
 * Finds an account's requests by parts of words, filters, or both, ignoring case and accents.
 * Newest first, or in the order of a filter on amounts or due days, or as `order` says. Includes
 * requests that are not indexed yet.
 */
export async function findRequestsByWords<Row extends RequestRow>(
  sql: Queryable,
  query: RequestQuery<Row['kind']>,
): Promise<Row[]> {
  const { accountId, kind, text, limit, named = null, order: asked = null, today } = query;
  const sought = { ...query, filters: whileDue(query.filters, today) };
  if (text.trim() !== '') return await findTextInOrder<Row>(sql, sought, asked);
  const { ids, order } = await walkFiltered(sql, { ...sought, named, order: asked });
  return await sql<Row[]>`
    select ${requestColumns(sql)} from requests r
    where ${ownerIs(sql, accountId, kind)} and id = any(${ids}::bigint[]) ${order} limit ${limit}`;
}
