import type { Centavos } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { allOf } from '../../platform/postgres/lists.ts';
import { conditionsOf, noFilters, ownerIs, type RequestFilters } from '../list.ts';
import { findByText, mostOrdered, type RequestQuery, whileDue } from './find.ts';
import { idsOfStates, orderOf, walkOf } from './walk.ts';

type Fragment = ReturnType<Queryable>;

/** The number of requests that a search finds, and the sum of their amounts (`amountOn`). */
export interface RequestTotal {
  count: number;
  sum: Centavos;
}

type Sought = Omit<RequestQuery<'payment_request'>, 'before' | 'limit' | 'order'>;

/** Maximum number of rows to read for a total, because a page waits for it. */
const mostRead = 10_000;

/**
 * Adds up the requests of a selection that pass the filters. Returns null if the selection is too
 * long.
 */
async function totalAmong(
  sql: Queryable,
  selection: Fragment,
  { where, today }: { where: Fragment; today: Temporal.PlainDate },
): Promise<RequestTotal | null> {
  const [row] = await sql<(RequestTotal & { read: number })[]>`
    with chosen as materialized (${selection} limit ${mostRead + 1}),
    counted as materialized (select count(*)::int as rows from chosen)
    select (select rows from counted) as read, count(*)::int as count,
      coalesce(sum(case when due1 < ${today}::date and state in ('pending', 'expired')
        then coalesce(total2, total1) else total1 end),
        0)::bigint as sum
    from requests r
    where (select rows from counted) <= ${mostRead} and ${where}
      and r.id = any(array(select id from chosen))`;
  return row === undefined || row.read > mostRead ? null : { count: row.count, sum: row.sum };
}

/** Selects the range of a filter's index, or everything if there are no filters. */
function ofRange(sql: Queryable, owner: Fragment, f: RequestFilters, { kind, today }: Sought) {
  const walk = walkOf(f);
  if (walk.along === 'state' || (walk.filters.length === 0 && (f.state !== null || f.overdue))) {
    return null;
  }
  const own = Object.fromEntries(walk.filters.map((name) => [name, f[name]]));
  const range = allOf(sql, owner, conditionsOf(sql, kind, { ...noFilters, ...own }, today));
  return sql`select id from requests r where ${range} ${orderOf(sql, walk)}`;
}

/**
 * Returns the total of a search, or null if it would take too many reads. Tries the index of each
 * filter.
 */
export async function totalOfRequests(sql: Queryable, query: Sought): Promise<RequestTotal | null> {
  const { accountId, kind, text, named = null, today } = query;
  const filters = whileDue(query.filters, today);
  const owner = ownerIs(sql, accountId, kind);
  if (text.trim() !== '') {
    const ids = await findByText(sql, { ...query, filters, before: null, limit: mostOrdered + 1 });
    if (ids.length > mostOrdered) return null;
    return await totalAmong(sql, sql`select unnest(${ids}::bigint[]) as id`, {
      where: owner,
      today,
    });
  }
  const where = allOf(sql, owner, [...conditionsOf(sql, kind, filters, today), named?.has ?? null]);
  const selections = named
    ? [sql`select id from (${named.ids({ before: null, most: null })}) as named (id)`]
    : [
        ofRange(sql, owner, filters, query),
        idsOfStates(sql, { ...query, filters, named, order: null }),
      ];
  for (const selection of selections) {
    const total = selection && (await totalAmong(sql, selection, { where, today }));
    if (total) return total;
  }
  return null;
}
