import type { Queryable } from '../connect.ts';
import { takesLookUps, takesSeveralAccounts } from './engine.ts';

type Fragment = ReturnType<Queryable>;

interface Removal {
  table: string;
  key: readonly string[];
  /** Condition and order, over columns of `t`. */
  where: Fragment;
  most: number;
  /** The part of the condition that a concurrent process may have changed. */
  still: Fragment;
  returning: readonly string[];
}

const listed = (columns: readonly string[], of: string): string =>
  columns.map((column) => `${of}.${column}`).join(', ');

const equal = (columns: readonly string[], one: string, other: string): string =>
  columns.map((column) => `${one}.${column} = ${other}.${column}`).join(' and ');

/**
 * Builds a CTE that removes some of a table's rows, up to a limit, and skips locked ones. Nodes
 * cannot lock across shards, so there each row is found again by its key.
 */
export function removeSome(
  sql: Queryable,
  name: string,
  { table, key, where, most, still, returning }: Removal,
): Fragment {
  const removed = sql`returning ${sql.unsafe(listed(returning, 't'))}`;
  if (takesSeveralAccounts(sql)) {
    return sql`
    ${sql(name)} as (
      delete from ${sql(table)} t where t.ctid = any(array(
        select t.ctid from ${sql(table)} t where ${where} limit ${most} for update skip locked))
      ${removed}
    )`;
  }
  const old = sql(`${name}_old`);
  return sql`
    ${old} as materialized (
      select ${sql.unsafe(listed(key, 't'))} from ${sql(table)} t where ${where} limit ${most}
    ),
    ${sql(name)} as (
      delete from ${sql(table)} t using ${old} old
      where ${sql.unsafe(equal(key, 't', 'old'))} and ${still} ${removed}
    )`;
}

/**
 * Builds a deletion of a table's rows whose key columns match a row of another relation. Looks them
 * up one by one if the engine can, because without statistics a join seems equally cheap.
 */
export function removeOf(
  sql: Queryable,
  of: string,
  { table, by }: { table: string; by: readonly string[] },
): Fragment {
  if (!takesLookUps(sql)) {
    return sql`
      delete from ${sql(table)} t using ${sql(of)} f where ${sql.unsafe(equal(by, 't', 'f'))}`;
  }
  return sql`
      delete from ${sql(table)} where ctid = any(array(
        select own.row from ${sql(of)} f cross join lateral (
          select t.ctid as row from ${sql(table)} t where ${sql.unsafe(equal(by, 't', 'f'))} offset 0
        ) as own))`;
}
