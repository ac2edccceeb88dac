import type { Queryable } from '../connect.ts';
import { takesLookUps } from './engine.ts';
import { alsoOwnedBy } from './owners.ts';

type Fragment = ReturnType<Queryable>;

interface LookUp {
  table: string;
  /** Columns besides the account that identify a row, with the relation's columns for them. */
  by: Readonly<Record<string, string>>;
  rows: 'one' | 'several';
  /** Owners of these rows, if known, to skip other nodes. */
  accountIds?: readonly string[];
}

/**
 * Joins the rows that a relation names by account and some columns, as lateral look-ups: without
 * statistics, PostgreSQL would join sets by reading all rows of an account for each. Nodes take no
 * lateral look-up, and join.
 */
export function lookUp(
  sql: Queryable,
  of: string,
  as: string,
  { table, by, rows, accountIds }: LookUp,
): Fragment {
  const quoted = (name: string): string => sql(name).text;
  const match = Object.entries({ account_id: 'account_id', ...by }).map(
    ([column, name]) => [quoted(column), `${quoted(of)}.${quoted(name)}`] as const,
  );
  const found = (prefix: string): string =>
    match.map(([column, value]) => `${prefix}${column} = ${value}`).join(' and ');
  if (!takesLookUps(sql)) {
    return sql`
  join ${sql(table)} ${sql(as)} on ${sql.unsafe(found(`${quoted(as)}.`))}
    ${accountIds === undefined ? sql`` : alsoOwnedBy(sql, as, accountIds)}`;
  }
  return sql.unsafe(`
  cross join lateral (
    select * from ${quoted(table)} where ${found('')} ${rows === 'one' ? 'limit 1' : 'offset 0'}
  ) as ${quoted(as)}`);
}

/**
 * Filters a query over `t`, which ends with a condition, to the rows that another query names by
 * account and key. Looks each up by itself, within bounds and in key order, since only the key's
 * own index avoids a sort there: for an equal key and without statistics, the planner may walk any
 * index of the account for each. Nodes take no such look-up.
 */
export function amongNamed(
  sql: Queryable,
  rows: Fragment,
  columns: readonly string[],
  named: Fragment,
): Fragment {
  const list = (names: readonly string[]) => sql.unsafe(names.join(', '));
  const own = columns.map((column) => `t.${column}`);
  if (!takesLookUps(sql)) {
    return sql`${rows} and (${list(['t.account_id', ...own])}) in (${named})`;
  }
  const isNamed = columns.map((one) => `t.${one} between named.${one} and named.${one}`);
  return sql`
    select row.* from (
      select distinct * from (${named}) as named (account_id, ${list(columns)})
    ) as named
    cross join lateral (
      ${rows} and t.account_id = named.account_id and ${sql.unsafe(isNamed.join(' and '))}
      order by ${list(own)} limit 1
    ) as row`;
}
