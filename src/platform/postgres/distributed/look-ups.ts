import type { Queryable } from '../connect.ts';
import { takesLookUps } from './engine.ts';
import { alsoOwnedBy } from './owners.ts';

type Fragment = ReturnType<Queryable>;

interface LookUp {
  table: string;
  /** Key columns besides the account, with the relation's columns for them. */
  by: Readonly<Record<string, string>>;
  rows: 'one' | 'several';
  /** Accounts of the rows, if known, to skip other nodes. */
  accountIds?: readonly string[];
}

/**
 * Joins the rows that a relation names by account and columns, laterally, because without
 * statistics PostgreSQL would read all of an account's rows. Nodes do not support that and use a
 * plain join.
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
 * Restricts a query over `t`, which ends with a condition, to the rows that another query names by
 * account and key. Looks up each with BETWEEN and in key order, so that only the key's own index
 * avoids a sort. With an equality and without statistics, the planner may choose any index. Nodes
 * do not support that.
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
