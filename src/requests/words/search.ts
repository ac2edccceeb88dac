import { beginningsOf } from '../../kernel/search-words.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { RequestKind } from '../states.ts';

// Ways to search by words. `find.ts` chooses one.

type Fragment = ReturnType<Queryable>;

export interface WordSearch {
  accountId: string;
  kind: RequestKind;
  parts: readonly string[];
  before: number;
  /** Conditions on a request `r`, or null. */
  where: Fragment | null;
  /** The relation `r` whose indexes serve the conditions. */
  passing: Fragment;
}

const queryOf = ({ accountId }: WordSearch, parts: readonly string[]): string =>
  parts
    .map((part) => {
      const begins = beginningsOf(part).map((begin) => `'${accountId}${begin}':*`);
      return `(${begins.join(' | ')})`;
    })
    .join(' & ');

/**
 * Tests for parts with a function call, so that the planner does not use the index, which would
 * collect every row with any of the words.
 */
const matches = (
  sql: Queryable,
  search: WordSearch,
  parts: readonly string[] = search.parts,
): Fragment =>
  parts.length === 0 ? sql`true` : sql`ts_match_vq(words, ${queryOf(search, parts)}::tsquery)`;

const passes = (sql: Queryable, { where, passing }: WordSearch): Fragment =>
  where === null ? sql`true` : sql`exists (select from ${passing} where ${where} and r.id = w.id)`;

const mine = (sql: Queryable, { accountId, kind, before }: WordSearch): Fragment => sql`
  account_id = ${accountId} and kind = ${kind} and id < ${before}`;

/** Finds the newest matches by walking the newest `within` rows. Null walks all. */
export async function walkWords(
  sql: Queryable,
  search: WordSearch,
  { limit, within }: { limit: number; within: number | null },
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select id from (
      select id, words from request_words where ${mine(sql, search)} order by id desc limit ${within}
    ) as w
    where ${matches(sql, search)} and ${passes(sql, search)} order by id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Estimates from a sample spread evenly over the rows. */
export interface Sample {
  looked: number;
  /** Counts of rows with all parts, and with each. */
  matching: number;
  having: number[];
  /** True if there are no rows beyond the newest `near`. */
  few: boolean;
}

const probes = 50;
const rowsOfProbe = 8;

export async function sampleWords(
  sql: Queryable,
  search: WordSearch,
  { near }: { near: number },
): Promise<Sample> {
  const having = search.parts.map(
    (part) => sql`count(*) filter (where ${matches(sql, search, [part])})`,
  );
  const [sample] = await sql<Sample[]>`
    with sample as materialized (
      select one.words
      from (
        select (select min(id) from request_words where ${mine(sql, search)}) as low,
          (select max(id) from request_words where ${mine(sql, search)}) as high
      ) as ends
      cross join generate_series(1, ${probes}::int) as probe
      cross join lateral (
        select words from request_words
        where ${mine(sql, search)} and id <= low + (high - low) * probe / ${probes}
        order by id desc limit ${rowsOfProbe}
      ) as one
    )
    select count(*) as looked, count(*) filter (where ${matches(sql, search)}) as matching,
      array[${having.flatMap((one, place) => (place === 0 ? [one] : [sql`,`, one]))}] as having,
      not exists (
        select from request_words where ${mine(sql, search)} offset ${near}
      ) as few
    from sample`;
  return sample ?? { looked: 0, matching: 0, having: [], few: true };
}

/** Finds the newest matches among at most `most` index entries. Returns null if there are more. */
export async function findWords(
  sql: Queryable,
  search: WordSearch,
  { by, limit, most }: { by: readonly string[]; limit: number; most: number },
): Promise<number[] | null> {
  const rest = search.parts.filter((part) => !by.includes(part));
  const [row] = await sql<{ count: number; ids: number[] }[]>`
    with found as materialized (
      select account_id, kind, id ${rest.length > 0 ? sql`, words` : sql``} from request_words
      where words @@ ${queryOf(search, by)}::tsquery limit ${most + 1}
    )
    select (select count(*)::int from found) as count, array(
      select id from found w
      where ${mine(sql, search)} and ${matches(sql, search, rest)} and ${passes(sql, search)}
      order by id desc limit ${limit}
    ) as ids`;
  return row && row.count <= most ? row.ids : null;
}

/**
 * Finds the newest matches among at most `most` rows that pass the conditions, by the lists'
 * indexes. Returns null if more pass or there are no conditions.
 */
export async function findPassing(
  sql: Queryable,
  search: WordSearch,
  { limit, most }: { limit: number; most: number },
): Promise<number[] | null> {
  const { where, passing, accountId, kind, before } = search;
  if (where === null) return null;
  const [row] = await sql<{ count: number; ids: number[] }[]>`
    with passing as materialized (
      select id from ${passing} where ${where} and id < ${before} limit ${most + 1}
    )
    select (select count(*)::int from passing) as count, array(
      select w.id from passing join request_words w
        on w.account_id = ${accountId} and w.kind = ${kind} and w.id = passing.id
      where ${matches(sql, search)} and (select count(*) from passing) <= ${most}
      order by w.id desc limit ${limit}
    ) as ids`;
  return row && row.count <= most ? row.ids : null;
}
