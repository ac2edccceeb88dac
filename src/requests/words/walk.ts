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

/** An order that a list asks for in place of newest first. */
export interface RequestOrder {
  by: 'due1' | 'total1';
  descending: boolean;
}

/** An order of requests, newest or largest first unless asked otherwise, and its filters. */
interface Walk {
  along: Along;
  /** True if the filter fixes the column, so that the order is that of ids. */
  single: boolean;
  ascending?: boolean;
  filters: readonly (keyof RequestFilters)[];
}

/** Returns the column as indexed, with folded names. */
const ordered = (sql: Queryable, along: Along): Fragment =>
  along === 'payer' ? sql`folded(payer)` : sql`${sql(along)}`;

const ranges = {
  total1: ['totalFrom', 'totalUntil'],
  due1: ['dueFrom', 'dueUntil'],
} as const satisfies Record<RequestOrder['by'], readonly (keyof RequestFilters)[]>;

/** Chooses the order for the filters. */
export function walkOf(f: RequestFilters, order: RequestOrder | null = null): Walk {
  if (order !== null) {
    const { by: along, descending } = order;
    return { along, single: false, ascending: !descending, filters: ranges[along] };
  }
  const asks = (...names: (keyof RequestFilters)[]) => names.some((name) => f[name] !== null);
  if (asks('external_reference')) {
    return { along: 'reference', single: true, filters: ['external_reference'] };
  }
  if (asks('payer')) return { along: 'payer', single: true, filters: ['payer'] };
  if (asks('totalFrom', 'totalUntil')) {
    return { along: 'total1', single: false, filters: ranges.total1 };
  }
  if (asks('dueFrom', 'dueUntil')) {
    return { along: 'due1', single: false, filters: ranges.due1 };
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
  /** Selects at most `most` of their ids below `before`, newest first. Null is no bound. */
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
  order: RequestOrder | null;
  /** Cursor: continues after this id in walking order. Null starts at the beginning. */
  before: number | null;
  limit: number;
  today: Temporal.PlainDate;
}

/**
 * Returns a request's value in the walk's column, as text. Null if the request is absent, or ids
 * alone give the order.
 */
export async function spotOf(
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

/**
 * Builds the condition that continues after the previous page's last request. Null for the first
 * page, or to restart if that request vanished.
 */
export function behind(
  sql: Queryable,
  { along, single, ascending = false }: Walk,
  before: number | null,
  spot: string | null,
): Fragment | null {
  if (before === null) return null;
  if (single) return sql`id < ${before}`;
  if (spot === null) return null;
  const than = ascending ? sql`>` : sql`<`;
  return sql`(${sql(along)}, id) ${than} (${spot}::${sql.unsafe(types[along])}, ${before}::bigint)`;
}

/**
 * Returns the first rows of a walk that pass the filters. Tries the first rows of the walk, then
 * finds all that pass by the filters' indexes and sorts them in a way that stops the planner from
 * walking.
 */
async function walked(
  sql: Queryable,
  walk: Walk,
  { accountId, kind, filters, named, before, limit, today }: Filtered,
): Promise<number[]> {
  const owner = ownerIs(sql, accountId, kind);
  const conditions = [...conditionsOf(sql, kind, filters, today), named?.has ?? null];
  const own = Object.fromEntries(walk.filters.map((name) => [name, filters[name]]));
  const begun = [
    ...conditionsOf(sql, kind, { ...noFilters, ...own }, today),
    behind(sql, walk, before, await spotOf(sql, owner, walk, before)),
  ];
  const where = allOf(sql, sql`true`, conditions);
  const start = allOf(sql, owner, begun);
  const along = ordered(sql, walk.along);
  const order = walk.ascending ? sql`order by along, id` : sql`order by along desc, id desc`;
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
 * Returns requests that have expired by the clock: those stored as expired, walked by state, and
 * the few that the sweep has not reached.
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

/** Returns the newest requests named by another noun that pass the filters. */
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

/**
 * Selects the ids in a state's index: all that pass the filter of states, and few more. Null
 * without such a filter.
 */
export function idsOfStates(
  sql: Queryable,
  { accountId, kind, filters: { state, overdue }, today }: Omit<Filtered, 'before' | 'limit'>,
): Fragment | null {
  const of = (one: string) => sql`
    select id from request_states
    where ${ownerIs(sql, accountId, kind)} and ${is(sql, 'state', one)}`;
  if (state === 'expired') {
    return sql`${of('expired')} union all ${of('pending')} and last_due < ${today}::date`;
  }
  if (state !== null) return of(state);
  return overdue ? sql`${of('expired')} union all ${of('pending')}` : null;
}

/** Returns all ids that may pass, or null if no index has few enough of them to sort. */
async function fewOf(sql: Queryable, sought: Filtered): Promise<number[] | null> {
  const { named } = sought;
  const ids = named ? named.ids({ before: null, most: near + 1 }) : idsOfStates(sql, sought);
  if (ids === null) return null;
  const rows = await sql<{ id: number }[]>`
    select id from (${ids}) as few (id) limit ${near + 1}`;
  return rows.length <= near ? rows.map(({ id }) => id) : null;
}

/** Returns the first of the given requests that pass the filters, in the order of a walk. */
async function inOrder(
  sql: Queryable,
  walk: Walk,
  ids: readonly number[],
  { accountId, kind, filters, before, limit, today }: Filtered,
): Promise<number[]> {
  const owner = ownerIs(sql, accountId, kind);
  const where = allOf(sql, owner, [
    ...conditionsOf(sql, kind, filters, today),
    behind(sql, walk, before, await spotOf(sql, owner, walk, before)),
  ]);
  const rows = await sql<{ id: number }[]>`
    with named as materialized (
      select r.* from requests r where ${where} and id = any(${[...ids]}::bigint[]))
    select r.id from named r ${orderOf(sql, walk)} limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Returns the `order by` of a walk over rows `r`. */
export function orderOf(sql: Queryable, { along, single, ascending }: Walk): Fragment {
  if (single) return sql`order by r.id desc`;
  const column = sql`r.${sql(along)}`;
  return ascending ? sql`order by ${column}, r.id` : sql`order by ${column} desc, r.id desc`;
}

/** Returns the first ids that pass the filters, and their order. */
export async function walkFiltered(
  sql: Queryable,
  sought: Filtered,
): Promise<{ ids: number[]; order: Fragment }> {
  const { named, filters, order: asked } = sought;
  const byId = sql`order by r.id desc`;
  if (named && asked === null) return { ids: await namedBy(sql, named, sought), order: byId };
  const walk = walkOf(filters, asked);
  const few = asked && (await fewOf(sql, sought));
  if (walk.along === 'place' && filters.state === 'expired') {
    return { ids: await expired(sql, sought), order: byId };
  }
  const order = orderOf(sql, walk);
  const ids = few ? await inOrder(sql, walk, few, sought) : await walked(sql, walk, sought);
  return { ids, order };
}
