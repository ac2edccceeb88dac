import type { Queryable } from '../connect.ts';
import { hasExtension, isPlaced, readLayout, type TablePlace } from './layout.ts';

/** Distribution of a database over nodes. Null for a single server. */
export interface Distribution {
  /** Nodes that hold shards. */
  nodes: number;
  shards: number;
  /** Misplaced tables. */
  astray: TablePlace[];
}

interface Spread {
  nodes: number;
  shards: number;
}

/** Reads the actual tables, because an installed extension alone proves nothing. */
export async function readDistribution(sql: Queryable): Promise<Distribution | null> {
  if (!(await hasExtension(sql))) return null;
  const layout = await readLayout(sql);
  if (layout.every(({ actual }) => actual.kind === 'here')) return null;
  const [spread] = await sql<Spread[]>`
    select count(distinct p.groupid)::int as nodes, count(distinct s.shardid)::int as shards
    from pg_dist_shard s join pg_dist_placement p using (shardid)
    where s.logicalrelid = to_regclass('accounts')`;
  return {
    nodes: spread?.nodes ?? 0,
    shards: spread?.shards ?? 0,
    astray: layout.filter((one) => !isPlaced(one)),
  };
}

/** Sets the pool's layout from its database. */
export async function lookAtLayout(sql: Queryable): Promise<void> {
  sql.layout.isDistributed = (await readDistribution(sql)) !== null;
}

/** Returns the distribution, or null on a single server. Throws if some tables are misplaced. */
export async function wholeDistribution(sql: Queryable): Promise<Distribution | null> {
  const found = await readDistribution(sql);
  if (found === null || found.astray.length === 0) return found;
  const names = found.astray.map(({ table }) => table).join(', ');
  throw new Error(
    `The database is distributed in part: ${names} do not lie where they belong. Run \`recaudo ` +
      'distribute --experimental` as the role that owns the tables: it finishes, or says what is in the way.',
  );
}
