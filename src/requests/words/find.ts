import { hasPrefixes, wordsOf } from '../../kernel/words.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { allOf } from '../../platform/postgres/lists.ts';
import { conditionsOf, ownerIs, type RequestFilters } from '../list.ts';
import type { RequestRow } from '../row.ts';
import { requestColumns } from '../store.ts';
import { findWords, searchedWords, type WordSearch, walkWords, withoutWords } from './store.ts';

/** So many of the newest are looked at before an index is asked: what many have is among them. */
const near = 10_000;
/** So many that match are put in order; where more do, the newest are found one by one. */
const mostSorted = 20_000;
/** So many of the newest that have no words yet are compared here. */
const mostCompared = 2_000;
/** Words of a search that count. */
const mostPrefixes = 8;

/** What somebody looks for in an account's requests of a kind, the newest first. */
export interface RequestSought<Kind extends RequestRow['kind']> {
  accountId: string;
  kind: Kind;
  /** Beginnings of words of payer, reference, description and e-mail, or a whole id; '': none. */
  text: string;
  filters: RequestFilters;
  /** Only older ones than this id: the last of the page before. Null: from the newest. */
  before: number | null;
  limit: number;
  today: Temporal.PlainDate;
}

type Conditions = (ReturnType<Queryable> | null)[];

/** The newest that pass filters: mostly among the newest of all, else by the filters' indexes. */
async function findFiltered(
  sql: Queryable,
  owner: ReturnType<Queryable>,
  conditions: Conditions,
  limit: number,
): Promise<number[]> {
  const where = allOf(sql, sql`true`, conditions);
  const found = await sql<{ id: number }[]>`
    select id from (select * from requests r where ${owner} order by id desc limit ${near}) as r
    where ${where} order by id desc limit ${limit}`;
  if (found.length === limit) return found.map(({ id }) => id);
  const rows = await sql<{ id: number }[]>`
    select id from requests r where ${owner} and ${where} order by id + 0 desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

async function findIndexed(sql: Queryable, search: WordSearch, limit: number): Promise<number[]> {
  const newest = await walkWords(sql, search, { limit, within: near });
  if (newest.length === limit) return newest;
  const found = await findWords(sql, search, { limit, most: mostSorted });
  return found ?? (await walkWords(sql, search, { limit, within: null }));
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
  // First what has no words: what is written meanwhile is found by its words.
  const where = sql`${all} and id < ${before}`;
  const late = await withoutWords(sql, accountId, { where, most: mostCompared });
  const matching = late.filter((row) => hasPrefixes(searchedWords(row), prefixes));
  const indexed = await findIndexed(sql, { ...search, where: filtered ? all : null }, limit);
  return [...indexed, ...matching.map(({ id }) => id)];
}

/** The id that a search names, if it is one. */
const namedId = (text: string): number | null =>
  /^\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : null;

/**
 * Finds an account's requests by the beginnings of words, without case and accents, by filters, or
 * by both; the newest first, at most `limit`. What was made just now is found as well.
 */
export async function findRequestsByWords<Row extends RequestRow>(
  sql: Queryable,
  { accountId, kind, text, filters, before, limit, today }: RequestSought<Row['kind']>,
): Promise<Row[]> {
  const below = before ?? Number.MAX_SAFE_INTEGER;
  const owner = ownerIs(sql, accountId, kind);
  const conditions = conditionsOf(sql, kind, filters, today);
  const prefixes = wordsOf(text).slice(0, mostPrefixes);
  if (prefixes.length === 0 && text.trim() !== '') return [];
  const found =
    prefixes.length === 0
      ? await findFiltered(sql, sql`${owner} and id < ${below}`, conditions, limit)
      : await findByWords(sql, owner, conditions, {
          accountId,
          kind,
          prefixes,
          before: below,
          limit,
        });
  const named = namedId(text);
  const ids = [...found, ...(named !== null && named < below ? [named] : [])];
  return await sql<Row[]>`
    select ${requestColumns(sql)} from requests r
    where ${allOf(sql, owner, conditions)} and id = any(${ids}::bigint[])
    order by id desc limit ${limit}`;
}
