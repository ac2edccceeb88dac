import type { Queryable } from '../connect.ts';

/** A table's placement in a distributed database. */
export type Place =
  /** Sharded by this column. An account's shards share a node. */
  | { kind: 'sharded'; by: string }
  /** Replicated to every node. */
  | { kind: 'everywhere' }
  /** On the coordinator only. */
  | { kind: 'here' };

export interface TablePlace {
  table: string;
  expected: Place;
  actual: Place;
  /** True if its shards are co-located with the accounts'. */
  beside: boolean;
}

/** Tables without accounts that accounts' statements join. */
const everywhere = ['withholding_rates'];

interface Row {
  table: string;
  wanted_by: string | null;
  method: string | null;
  is_reference: boolean;
  actual_by: string | null;
  beside: boolean;
}

/**
 * Returns true if the database has the extension. Without it no statement may name its functions.
 */
export async function hasExtension(sql: Queryable): Promise<boolean> {
  const [row] = await sql<{ there: boolean }[]>`
    select to_regclass('pg_dist_partition') is not null as there`;
  return row?.there === true;
}

const actual = ({ method, is_reference, actual_by }: Row): Place => {
  if (method === 'h') return { kind: 'sharded', by: actual_by ?? '' };
  return { kind: is_reference ? 'everywhere' : 'here' };
};

const placeFor = ({ table, wanted_by }: Row): Place => {
  if (wanted_by !== null) return { kind: 'sharded', by: wanted_by };
  return { kind: everywhere.includes(table) ? 'everywhere' : 'here' };
};

/**
 * Reads every table's place. A table is sharded by account if its key begins with the account and
 * no other key is unique across accounts. Derives this from the schema, so that there is no list to
 * maintain.
 */
export async function readLayout(sql: Queryable): Promise<TablePlace[]> {
  const rows = await sql<Row[]>`
    with keyed as (
      select c.oid, c.relname,
        case when c.relname = 'accounts' then 'id' else 'account_id' end as owner
      from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    )
    select k.relname as table,
      case when exists (
        select from pg_index i
        join pg_attribute a on a.attrelid = k.oid and a.attnum = i.indkey[0]
        where i.indrelid = k.oid and i.indisprimary and a.attname = k.owner
      ) and not exists (
        select from pg_index i where i.indrelid = k.oid and i.indisunique and not exists (
          select from pg_attribute a
          where a.attrelid = k.oid and a.attname = k.owner and a.attnum = any(i.indkey::int2[]))
      ) then k.owner end as wanted_by,
      p.partmethod::text as method, coalesce(p.repmodel = 't', false) as is_reference,
      case when p.partmethod = 'h' then column_to_column_name(p.logicalrelid, p.partkey) end
        as actual_by,
      coalesce(p.colocationid = (
        select o.colocationid from pg_dist_partition o where o.logicalrelid = to_regclass('accounts')
      ), false) as beside
    from keyed k left join pg_dist_partition p on p.logicalrelid = k.oid
    order by k.relname collate "C"`;
  return rows.map((row) => ({
    table: row.table,
    expected: placeFor(row),
    actual: actual(row),
    beside: row.beside,
  }));
}

export const isPlaced = ({ expected: to, actual: at, beside }: TablePlace): boolean =>
  to.kind === at.kind &&
  (to.kind !== 'sharded' || at.kind !== 'sharded' || (to.by === at.by && beside));

/**
 * Returns true if a table was distributed by another rule. Tables still on the coordinator do not
 * count, because this release can place them.
 */
export const isMisplaced = (one: TablePlace): boolean =>
  !isPlaced(one) && one.actual.kind !== 'here';
