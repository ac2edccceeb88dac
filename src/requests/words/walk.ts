import type { Queryable } from '../../platform/postgres/connect.ts';
import { allOf } from '../../platform/postgres/lists.ts';
import { conditionsOf, is, noFilters, ownerIs, type RequestFilters, soughtIn } from '../list.ts';
import type { RequestKind } from '../states.ts';

type Fragment = ReturnType<Queryable>;

/** Rows to read in order before the filters' other indexes are used. */
export const near = 10_000;

/** Sort columns with an index. */
type Along = 'place' | 'created_at' | 'due1' | 'total1' | 'state' | 'reference' | 'payer';

const types: Readonly<Record<Along, string>> = {
  place: 'bigint',
  created_at: 'timestamptz',
  due1: 'date',
  total1: 'bigint',
  state: 'text',
  reference: 'text',
  payer: 'text',
};

/** An order of requests, newest or largest first, and the filters that are part of it. */
interface Walk {
  along: Along;
  /** True if the filter leaves one value of the column: then the order is that of the ids. */
  single: boolean;
  filters: readonly (keyof RequestFilters)[];
}

/** The column as its index has it: names are folded. */
const ordered = (sql: Queryable, along: Along): Fragment =>
  along === 'payer' ? sql`folded(payer)` : sql`${sql(along)}`;

/** The order that suits the filters. */
function walkOf(f: RequestFilters): Walk {
  const asks = (...names: (keyof RequestFilters)[]) => names.some((name) => f[name] !== null);
  if (asks('external_reference')) {
    return { along: 'reference', single: true, filters: ['external_reference'] };
  }
  if (asks('payer')) return { along: 'payer', single: true, filters: ['payer'] };
  if (asks('totalFrom', 'totalUntil')) {
    return { along: 'total1', single: false, filters: ['totalFrom', 'totalUntil'] };
  }
  if (asks('dueFrom', 'dueUntil')) {
    return { along: 'due1', single: false, filters: ['dueFrom', 'dueUntil'] };
  }
  if (asks('createdFrom', 'createdBefore')) {
    return { along: 'created_at', single: false, filters: ['createdFrom', 'createdBefore'] };
  }
  if (asks('state') && f.state !== 'expired') {
    return { along: 'state', single: true, filters: ['state'] };
  }
  return { along: 'place', single: false, filters: [] };
}

/** Requests named by rows of another noun: those paid on a channel, for example. */
export interface NamedRequests {
  /** Their ids, newest first: those before an id, at most so many; null: all. */
  ids(page: { before: number | null; most: number | null }): Fragment;
  /** True for a request `r` of this kind. */
  has: Fragment;
}

/** Owner and conditions of the walked requests. */
export interface Filtered {
  accountId: string;
  kind: RequestKind;
  filters: RequestFilters;
  /** Only those that another noun names. */
  named: NamedRequests | null;
  /** Continues after this id, in the order of the walk; null: from its beginning. */
  before: number | null;
  limit: number;
  today: Temporal.PlainDate;
}

/** Returns a request's position in a walk, as text; null if it is not in it. */
async function spotOf(
  sql: Queryable,
  owner: Fragment,
  { along, single }: Walk,
  id: number | null,
): Promise<string | null> {
  if (id === null || single) return null;
  const [spot] = await sql<{ value: string }[]>`
    select ${sql(along)}::text as value from requests where ${owner} and id = ${id}`;
  return spot?.value ?? null;
}

/** Starts after the last request of the previous page; a vanished one restarts. */
function behind(
  sql: Queryable,
  { along, single }: Walk,
  before: number | null,
  spot: string | null,
): Fragment | null {
  if (before === null) return null;
  if (single) return sql`id < ${before}`;
  if (spot === null) return null;
  return sql`(${sql(along)}, id) < (${spot}::${sql.unsafe(types[along])}, ${before}::bigint)`;
}

/**
 * The first so many of a walk that pass. Mostly they are among the first of all; else all that pass
 * are found by the filters' indexes and put in order, which the planner may not take for a walk.
 */
async function walked(
  sql: Queryable,
  walk: Walk,
  { accountId, kind, filters, before, limit, today }: Filtered,
): Promise<number[]> {
  const owner = ownerIs(sql, accountId, kind);
  const conditions = conditionsOf(sql, kind, filters, today);
  const own = Object.fromEntries(walk.filters.map((name) => [name, filters[name]]));
  const begun = [
    ...conditionsOf(sql, kind, { ...noFilters, ...own }, today),
    behind(sql, walk, before, await spotOf(sql, owner, walk, before)),
  ];
  const where = allOf(sql, sql`true`, conditions);
  const start = allOf(sql, owner, begun);
  const along = ordered(sql, walk.along);
  const order = sql`order by along desc, id desc`;
  const sought = soughtIn(sql, kind, filters);
  const begin = walk.along === 'state' ? sought : sql`requests r`;
  const found = await sql<{ id: number }[]>`
    select id from (
      select *, ${along} as along from ${begin} where ${start} ${order} limit ${near}
    ) as r
    where ${where} ${order} limit ${limit}`;
  if (found.length === limit) return found.map(({ id }) => id);
  const rows = await sql<{ id: number }[]>`
    with passing as materialized (
      select id, ${along} as along from ${sought} where ${start} and ${where})
    select id from passing ${order} limit ${limit}`;
  return rows.map(({ id }) => id);
}

/**
 * Expired requests, by the clock: mostly the sweep has stored it, and they are walked by state; few
 * are still left to the sweep.
 */
async function expired(
  sql: Queryable,
  { accountId, kind, today, limit, before }: Filtered,
): Promise<number[]> {
  const mine = sql`
    ${ownerIs(sql, accountId, kind)} and ${before === null ? sql`true` : sql`id < ${before}`}`;
  const stored = await sql<{ id: number }[]>`
    select id from request_states where ${mine} and ${is(sql, 'state', 'expired')}
    order by state desc, id desc limit ${limit}`;
  const late = await sql<{ id: number }[]>`
    select id from request_states
    where ${mine} and state = 'pending' and last_due < ${today}::date
    order by id + 0 desc limit ${limit}`;
  return [...stored, ...late].map(({ id }) => id);
}

/** The newest of another noun's named requests that pass. */
async function namedBy(sql: Queryable, named: NamedRequests, sought: Filtered): Promise<number[]> {
  const { accountId, kind, filters, before, limit, today } = sought;
  const where = allOf(sql, ownerIs(sql, accountId, kind), conditionsOf(sql, kind, filters, today));
  const pass = (most: number | null) => sql<{ id: number }[]>`
    select id from requests r
    join (${named.ids({ before, most })}) as named (id) using (id)
    where ${where} order by id + 0 desc limit ${limit}`;
  // The first rows usually fill the page; other selective filters need more of them.
  for (const most of [limit, near]) {
    const found = await pass(most);
    if (found.length === limit) return found.map(({ id }) => id);
  }
  return (await pass(null)).map(({ id }) => id);
}

/** The filters' first ids, and the order to show them in. */
export async function walkFiltered(
  sql: Queryable,
  sought: Filtered,
): Promise<{ ids: number[]; order: Fragment }> {
  const { named, filters } = sought;
  const byId = sql`order by r.id desc`;
  if (named) return { ids: await namedBy(sql, named, sought), order: byId };
  const walk = walkOf(filters);
  if (walk.along === 'place' && filters.state === 'expired') {
    return { ids: await expired(sql, sought), order: byId };
  }
  const order = walk.single ? byId : sql`order by r.${sql(walk.along)} desc, r.id desc`;
  return { ids: await walked(sql, walk, sought), order };
}
