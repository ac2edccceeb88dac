import type { Queryable } from '../../platform/postgres/connect.ts';
import { allOf } from '../../platform/postgres/lists.ts';
import { conditionsOf, is, noFilters, ownerIs, type RequestFilters, soughtIn } from '../list.ts';
import type { RequestKind } from '../states.ts';

type Fragment = ReturnType<Queryable>;

/** Rows to read in order before using other indexes. */
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

/** An order of requests, newest or largest first, and its filters. */
interface Walk {
  along: Along;
  /** True if the filter fixes the column, so that the order is that of ids. */
  single: boolean;
  filters: readonly (keyof RequestFilters)[];
}

/** Returns the column as indexed, with folded names. */
const ordered = (sql: Queryable, along: Along): Fragment =>
  along === 'payer' ? sql`folded(payer)` : sql`${sql(along)}`;

/** Chooses the order for the filters. */
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

/** Requests that another noun's rows name, such as those paid on a channel. */
export interface NamedRequests {
  /** Selects their ids before one, newest first, at most `most`. Null selects all. */
  ids(page: { before: number | null; most: number | null }): Fragment;
  /** Tests whether the request `r` is one of them. */
  has: Fragment;
}

/** Owner and conditions of the requests to walk. */
export interface Filtered {
  accountId: string;
  kind: RequestKind;
  filters: RequestFilters;
  /** Only requests that another noun names. */
  named: NamedRequests | null;
  /** Cursor: continues after this id in walking order. Null starts at the beginning. */
  before: number | null;
  limit: number;
  today: Temporal.PlainDate;
}

/** Returns a request's position in a walk, as text, or null if absent. */
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

/** Continues after the previous page's last request. Restarts if it vanished. */
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
 * Returns the first rows of a walk that pass. Tries the first of all, then finds all that pass by
 * the filters' indexes and sorts them in a way that stops the planner from walking.
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
 * Returns expired requests by the clock: those stored as expired, walked by state, and the few that
 * the sweep has not reached.
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

/** Returns the newest requests named by another noun that pass. */
async function namedBy(sql: Queryable, named: NamedRequests, sought: Filtered): Promise<number[]> {
  const { accountId, kind, filters, before, limit, today } = sought;
  const where = allOf(sql, ownerIs(sql, accountId, kind), conditionsOf(sql, kind, filters, today));
  const pass = (most: number | null) => sql<{ id: number }[]>`
    select id from requests r
    join (${named.ids({ before, most })}) as named (id) using (id)
    where ${where} order by id + 0 desc limit ${limit}`;
  // The first rows usually fill the page, but selective filters need more.
  for (const most of [limit, near]) {
    const found = await pass(most);
    if (found.length === limit) return found.map(({ id }) => id);
  }
  return (await pass(null)).map(({ id }) => id);
}

/** Returns the first ids that pass the filters, and their order. */
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
