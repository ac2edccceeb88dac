import { beginningsOf, searchWordsOf } from '../kernel/search-words.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { MandateKind, MandateRow, MandateState } from './mandate.ts';
import { mandateColumns } from './store.ts';

type Fragment = ReturnType<Queryable>;

/** Cursor of the next page: the last id of each kind. */
export type MandatePlace = Readonly<Record<MandateKind, number>>;

export interface MandateQuery {
  accountId: string;
  kinds: readonly MandateKind[];
  /** Parts of words of holder, payer and reference, or an entire id. '' matches all. */
  text: string;
  state: MandateState | null;
  behind: MandatePlace;
  limit: number;
}

export interface FoundMandates {
  rows: MandateRow[];
  /** Cursor of the next page. Null at the end. */
  next: MandatePlace | null;
}

export const firstPlace: MandatePlace = {
  adhesion: Number.MAX_SAFE_INTEGER,
  card_adhesion: Number.MAX_SAFE_INTEGER,
};

/** Maximum number of search words. Further ones are ignored. */
const mostParts = 8;
/** Newest rows to scan before falling back to the index. */
const mostNear = 200;
/** Above this many matches, walk from the newest instead of sorting. */
const mostSorted = 5_000;

/** Returns the expression that `mandates_by_parts` indexes. */
const words = (sql: Queryable): Fragment => sql`
  word_parts_of(m.account_id, m.holder || ' ' || m.payer || ' ' || coalesce(m.reference, ''))`;

interface OfKind extends Omit<MandateQuery, 'kinds' | 'behind'> {
  kind: MandateKind;
  behind: number;
}

const matches = (sql: Queryable, accountId: string, parts: readonly string[]): Fragment => {
  const one = (part: string): string =>
    `(${beginningsOf(part)
      .map((begin) => `'${accountId}${begin}':*`)
      .join(' | ')})`;
  return sql`${words(sql)} @@ ${parts.map(one).join(' & ')}::tsquery`;
};

/** Uses a range condition, so that the planner walks the index on states instead of all ids. */
const stateIs = (sql: Queryable, state: MandateState): Fragment =>
  sql`m.state >= ${state} and m.state <= ${state}`;

const mine = (sql: Queryable, { accountId, kind, behind }: OfKind): Fragment => sql`
  m.account_id = ${accountId} and m.kind = ${kind} and m.id < ${behind}`;

const listed = (sql: Queryable, sought: OfKind): Promise<MandateRow[]> => {
  const { state, limit } = sought;
  const [where, order] =
    state === null
      ? [mine(sql, sought), sql`m.id desc`]
      : [sql`${mine(sql, sought)} and ${stateIs(sql, state)}`, sql`m.state desc, m.id desc`];
  return sql<MandateRow[]>`
    select ${mandateColumns(sql)} from mandates m where ${where} order by ${order} limit ${limit}`;
};

const namedId = (text: string): number | null =>
  /^\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : null;

/** Scans the newest rows for matches. */
const near = (sql: Queryable, sought: OfKind, fits: Fragment): Promise<MandateRow[]> =>
  sql<MandateRow[]>`
    select ${mandateColumns(sql)} from (
      select * from mandates m where ${mine(sql, sought)} order by m.id desc limit ${mostNear}
    ) as m
    where ${fits} order by m.id desc limit ${sought.limit}`;

/** Returns true if the scan covered all rows. */
async function sawAll(sql: Queryable, sought: OfKind): Promise<boolean> {
  const more = await sql`
    select id from mandates m where ${mine(sql, sought)} order by m.id desc offset ${mostNear} limit 1`;
  return more.length === 0;
}

async function matching(
  sql: Queryable,
  sought: OfKind,
  parts: readonly string[],
): Promise<MandateRow[]> {
  const { accountId, kind, text, state, limit } = sought;
  const matched = matches(sql, accountId, parts);
  const inState = state === null ? sql`` : sql`and m.state = ${state}`;
  const named = namedId(text);
  const fits = named === null ? matched : sql`(${matched} or m.id = ${named})`;
  const newest = await near(sql, sought, sql`${fits} ${inState}`);
  if (newest.length === limit || (await sawAll(sql, sought))) return newest;
  const [found] = await sql<{ many: boolean; ids: number[] }[]>`
    with found as materialized (select kind, id from mandates m where ${matched} limit ${mostSorted + 1})
    select (select count(*) from found) > ${mostSorted} as many,
      array(select id from found where kind = ${kind}) as ids`;
  const ids = [...(found?.ids ?? []), ...(named === null ? [] : [named])];
  const which = found?.many ? fits : sql`m.id = any(${ids}::bigint[])`;
  return await sql<MandateRow[]>`
    select ${mandateColumns(sql)} from mandates m
    where ${mine(sql, sought)} and ${which} ${inState}
    order by m.id desc limit ${limit}`;
}

async function findOfKind(sql: Queryable, sought: OfKind): Promise<MandateRow[]> {
  const parts = searchWordsOf(sought.text).slice(0, mostParts);
  if (parts.length > 0) return await matching(sql, sought, parts);
  return sought.text.trim() === '' ? await listed(sql, sought) : [];
}

const newestFirst = (a: MandateRow, b: MandateRow): number =>
  Temporal.Instant.compare(b.created_at, a.created_at) || b.id - a.id;

/**
 * Finds an account's mandates by parts of words (ignoring case and accents), by state, or by both,
 * newest first.
 */
export async function findMandatesByWords(
  sql: Queryable,
  { kinds, behind, limit, ...sought }: MandateQuery,
): Promise<FoundMandates> {
  const found = await Promise.all(
    kinds.map((kind) =>
      findOfKind(sql, { ...sought, kind, behind: behind[kind], limit: limit + 1 }),
    ),
  );
  const all = found.flat().toSorted(newestFirst);
  const rows = all.slice(0, limit);
  if (all.length <= limit) return { rows, next: null };
  const next = { ...behind };
  for (const { kind, id } of rows) next[kind] = Math.min(next[kind], id);
  return { rows, next };
}
