import { hasPrefixes, searchWordsOf } from '../../kernel/search-words.ts';
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
import { type NamedRequests, walkFiltered } from './walk.ts';

/** Newest rows to read before the index is used. */
const mostNear = 2_000;
/** Prefixes in a larger share of a sample are not looked up in the index. */
const rareShare = 0.05;
/** So many places of the index are read in the time of one row of the table. */
const placesOfRow = 80;
/** Matches to sort at most; with more, the newest are found one by one. */
const mostSorted = 20_000;
/** So many of the newest that have no words yet are compared here. */
const mostCompared = 2_000;
/** Words of a search that count. */
const mostPrefixes = 8;

/** A search in an account's requests of a kind, the newest first. */
export interface RequestSought<Kind extends RequestRow['kind']> {
  accountId: string;
  kind: Kind;
  /**
   * Beginnings of words of payer, reference, description, e-mail and of a QR's own id, or a whole
   * id; '': none, and QRs have no indexes of lists by which they are found without.
   */
  text: string;
  filters: RequestFilters;
  /** Restricts to requests that another noun's rows name. */
  named?: NamedRequests | null;
  /** Continues after this id, the last of the former page. Null: from the newest. */
  before: number | null;
  limit: number;
  today: Temporal.PlainDate;
}

type Conditions = (ReturnType<Queryable> | null)[];

/**
 * Prefixes to look up together: the rarest, and each further one as long as reading it costs less
 * than the rows that it spares. Null: many rows have all of them.
 */
function askedOf(prefixes: readonly string[], { having, looked, matching }: Sample) {
  if (matching > looked * rareShare) return null;
  // A word missing in a sample can still be as frequent as one sampled row implies.
  const [rarest, ...others] = prefixes
    .map((prefix, place) => ({ prefix, share: ((having[place] ?? 0) + 1) / (looked + 1) }))
    .toSorted((a, b) => a.share - b.share);
  if (!rarest) return null;
  const asked = [rarest.prefix];
  let left = rarest.share;
  for (const { prefix, share } of others) {
    if (share >= left * (1 - share) * placesOfRow) break;
    asked.push(prefix);
    left *= share;
  }
  return left > rareShare ? null : asked;
}

/**
 * Mostly finds matches among the newest; else by the index of rare words; else by selective
 * filters. Common words with weak filters are matched one by one.
 */
async function findIndexed(sql: Queryable, search: WordSearch, limit: number): Promise<number[]> {
  const newest = await walkWords(sql, search, { limit, within: mostNear });
  if (newest.length === limit) return newest;
  const sample = await sampleWords(sql, search, { near: mostNear });
  if (sample.few) return newest;
  const by = askedOf(search.prefixes, sample);
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
  const { accountId, prefixes, before, limit } = search;
  const all = allOf(sql, owner, conditions);
  const filtered = conditions.some((condition) => condition !== null);
  // Unindexed requests first: one indexed meanwhile is then found by its words.
  const where = sql`${all} and id < ${before}`;
  const late = await withoutWords(sql, accountId, { where, most: mostCompared });
  const matching = late.filter((row) => hasPrefixes(searchedWords(row), prefixes));
  const indexed = await findIndexed(sql, { ...search, where: filtered ? all : null }, limit);
  return [...indexed, ...matching.map(({ id }) => id)];
}

/** The id that a search names, if it is one. */
const namedId = (text: string): number | null =>
  /^\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : null;

/** By the beginnings of words, or a whole id; the newest first. */
async function findByText<Kind extends RequestRow['kind']>(
  sql: Queryable,
  { accountId, kind, text, filters, named, before, limit, today }: RequestSought<Kind>,
): Promise<number[]> {
  const below = before ?? Number.MAX_SAFE_INTEGER;
  const owner = ownerIs(sql, accountId, kind);
  const conditions = [...conditionsOf(sql, kind, filters, today), named?.has ?? null];
  const prefixes = searchWordsOf(text).slice(0, mostPrefixes);
  if (prefixes.length === 0) return [];
  const passing = soughtIn(sql, kind, filters);
  const search = { accountId, kind, prefixes, before: below, limit, passing };
  const found = await findByWords(sql, owner, conditions, search);
  const id = namedId(text);
  if (id === null || id >= below) return found;
  const own = await sql<{ id: number }[]>`
    select id from requests r where ${allOf(sql, owner, conditions)} and id = ${id}`;
  return [...found, ...own.map((row) => row.id)];
}

/**
 * Finds an account's requests by beginnings of words, by filters, or by both, at most `limit`:
 * without case and accents, newest first; by filters of amounts or of payment days the largest or
 * latest first, as their index has them. Finds new requests at once.
 */
export async function findRequestsByWords<Row extends RequestRow>(
  sql: Queryable,
  sought: RequestSought<Row['kind']>,
): Promise<Row[]> {
  const { accountId, kind, text, limit, named = null } = sought;
  const { ids, order } =
    text.trim() === ''
      ? await walkFiltered(sql, { ...sought, named })
      : { ids: await findByText(sql, sought), order: sql`order by r.id desc` };
  return await sql<Row[]>`
    select ${requestColumns(sql)} from requests r
    where ${ownerIs(sql, accountId, kind)} and id = any(${ids}::bigint[]) ${order} limit ${limit}`;
}
