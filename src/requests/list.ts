import type { Queryable } from '../platform/postgres/connect.ts';
import { type ListRequest, readPage } from '../platform/postgres/lists.ts';
import type { RequestRow } from './row.ts';
import { type RequestKind, type RequestState, transitionOf } from './states.ts';
import { requestColumns } from './store.ts';
import { statesAlone, statesJoined } from './stored-states.ts';

/** Filters of lists. Null is unfiltered. Days are inclusive. */
export interface RequestFilters {
  id: number | null;
  state: RequestState | null;
  external_reference: string | null;
  payer: string | null;
  createdFrom: Temporal.Instant | null;
  createdBefore: Temporal.Instant | null;
  dueFrom: Temporal.PlainDate | null;
  dueUntil: Temporal.PlainDate | null;
  totalFrom: number | null;
  totalUntil: number | null;
  /** Only requests that nobody paid by their first due day, except withdrawn ones. */
  overdue?: true;
}

export const noFilters: RequestFilters = {
  id: null,
  state: null,
  external_reference: null,
  payer: null,
  createdFrom: null,
  createdBefore: null,
  dueFrom: null,
  dueUntil: null,
  totalFrom: null,
  totalUntil: null,
};

interface Page extends ListRequest {
  today: Temporal.PlainDate;
}

/**
 * Builds an equality that hides the id order from the planner, so that it uses the filter's index
 * and sorts the matches. Otherwise it would walk the primary key through requests of all kinds.
 */
export const is = (sql: Queryable, column: 'state' | 'reference', value: string) =>
  sql`${sql(column)} >= ${value} and ${sql(column)} <= ${value}`;

/** Builds the same equality for the payer's name, ignoring case and accents. */
const payerIs = (sql: Queryable, name: string) =>
  sql`folded(payer) >= folded(${name}::text) and folded(payer) <= folded(${name}::text)`;

/** Tests the state by the clock. After its last due day an expirable request counts as expired. */
const stateIs = (
  sql: Queryable,
  kind: RequestKind,
  state: RequestState,
  today: Temporal.PlainDate,
) => {
  if (!transitionOf(kind, 'expire')) return is(sql, 'state', state);
  if (state === 'pending') return sql`${is(sql, 'state', state)} and last_due >= ${today}::date`;
  if (state === 'expired') {
    return sql`(state = 'expired' or (state = 'pending' and last_due < ${today}::date))`;
  }
  return is(sql, 'state', state);
};

/**
 * Tests for an unpaid request past its first due day. An expired one with a comment was withdrawn.
 */
const isOverdue = (sql: Queryable, today: Temporal.PlainDate) => sql`
  due1 < ${today}::date and state in ('pending', 'expired')
  and (state = 'pending' or state_comment is null)`;

const alongOf = (sql: Queryable, f: RequestFilters) => {
  if (f.id !== null) return sql`id`;
  if (f.totalFrom !== null || f.totalUntil !== null) return sql`total1`;
  if (f.dueFrom !== null || f.dueUntil !== null) return sql`due1`;
  if (f.createdFrom !== null || f.createdBefore !== null) return sql`created_at`;
  if (f.external_reference !== null) return sql`reference, id`;
  if (f.payer !== null) return sql`folded(payer), id`;
  if (f.state === 'expired') return sql`id`;
  return f.state === null ? sql`place` : sql`state, id`;
};

/** Returns the filters' conditions, each with an index. */
export const conditionsOf = (
  sql: Queryable,
  kind: RequestKind,
  f: RequestFilters,
  today: Temporal.PlainDate,
) => [
  f.id === null ? null : sql`id = ${f.id}`,
  f.state === null ? null : stateIs(sql, kind, f.state, today),
  f.external_reference === null ? null : is(sql, 'reference', f.external_reference),
  f.payer === null ? null : payerIs(sql, f.payer),
  f.createdFrom === null ? null : sql`created_at >= ${f.createdFrom}::timestamptz`,
  f.createdBefore === null ? null : sql`created_at < ${f.createdBefore}::timestamptz`,
  f.dueFrom === null ? null : sql`due1 >= ${f.dueFrom}::date`,
  f.dueUntil === null ? null : sql`due1 <= ${f.dueUntil}::date`,
  f.totalFrom === null ? null : sql`total1 >= ${f.totalFrom}`,
  f.totalUntil === null ? null : sql`total1 <= ${f.totalUntil}`,
  f.overdue ? isOverdue(sql, today) : null,
];

/**
 * Matches an account's requests of a kind. Indexes of lists exclude QRs, so the planner must see
 * the kind.
 */
export const ownerIs = (sql: Queryable, accountId: string, kind: RequestKind) =>
  sql`account_id = ${accountId} and kind = ${kind} ${kind === 'qr' ? sql`` : sql`and kind <> 'qr'`}`;

/**
 * Returns the relation that filters search. With a filter on states, that is the table of states,
 * except for QRs.
 */
export function soughtIn(sql: Queryable, kind: RequestKind, f: RequestFilters) {
  if ((f.state === null && !f.overdue) || kind === 'qr') return sql`requests r`;
  const alone = Object.entries(f).every(
    ([name, value]) => value === null || name === 'state' || name === 'id',
  );
  return alone ? statesAlone(sql) : statesJoined(sql);
}

/**
 * Returns a page of an account's requests of a kind, in commit order, as that kind's rows. Returns
 * null if the cursor's id is not in the list.
 */
export async function listRequests<Row extends RequestRow>(
  sql: Queryable,
  accountId: string,
  kind: Row['kind'],
  f: RequestFilters,
  page: Page,
): Promise<{ rows: Row[]; totalCount: number | null } | null> {
  const filters = conditionsOf(sql, kind, f, page.today);
  const owner = ownerIs(sql, accountId, kind);
  const listing = {
    columns: requestColumns(sql),
    list: 'requests',
    table: sql`requests r`,
    sought: soughtIn(sql, kind, f),
    accountId,
    owner,
    filters,
    along: alongOf(sql, f),
  } as const;
  return await readPage(sql, listing, page);
}
