import type { Queryable } from '../connect.ts';
import { takesLookUps } from './engine.ts';
import { alsoOwnedBy } from './owners.ts';

type Fragment = ReturnType<Queryable>;

interface LookUp {
  table: string;
  /** The columns beside the account that a row is found by, and those of the relation that name it. */
  by: Readonly<Record<string, string>>;
  rows: 'one' | 'several';
  /** Owners of these rows, if known: other nodes are not asked. */
  accountIds?: readonly string[];
}

/**
 * Joins the rows of a table that each row of a relation names by its account and some columns. Each
 * is looked up by itself: joined as sets, PostgreSQL would read all rows of an account for each as
 * long as it has no statistics of the table. Nodes take no such look-up, and join.
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
 * Of the rows of a query over `t` that ends with a condition, those that another one names by
 * account and key; as a query in itself. Each is looked up by itself, within bounds and in the order
 * of the key, which no index but the key's own spares a sort: of an equal key the planner may take
 * any index of the account where it does not know the table yet, and walk through it for each.
 * Nodes take no such look-up.
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
