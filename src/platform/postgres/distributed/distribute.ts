import { withAdvisoryLock } from '../advisory-lock.ts';
import type { Queryable, Sql } from '../connect.ts';
import { migrationsLock } from '../migrate.ts';
import { refusal } from './codes.ts';
import { hasExtension, readLayout, type TablePlace } from './layout.ts';
import { placeTables } from './place.ts';

interface Cluster {
  coordinator: boolean;
  workers: number;
}

async function checkCluster(sql: Queryable): Promise<void> {
  if (!(await hasExtension(sql))) throw refusal('distribution.no_extension', {});
  const [cluster] = await sql<Cluster[]>`
    select coalesce(bool_or(groupid = 0), false) as coordinator,
      count(*) filter (where groupid <> 0 and isactive and shouldhaveshards)::int as workers
    from pg_dist_node where noderole = 'primary'`;
  if (cluster?.coordinator !== true) throw refusal('distribution.no_coordinator', {});
  if (cluster.workers === 0) throw refusal('distribution.no_worker', {});
}

/**
 * Throws if other processes are connected: they would use tables while these move, and statements
 * prepared for the old placement.
 */
async function checkAlone(sql: Queryable): Promise<void> {
  const others = await sql<{ name: string }[]>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'recaudo %'
      and application_name <> current_setting('application_name')
    order by 1`;
  if (others.length === 0) return;
  const names = others.map(({ name }) => name).join(', ');
  throw refusal('distribution.others_connected', { names });
}

/** Removes rows that remained invisibly on the coordinator when their table was distributed. */
async function clearLeftovers(sql: Sql): Promise<string[]> {
  const layout = await readLayout(sql);
  const cleared: string[] = [];
  for (const { table, actual } of layout) {
    if (actual.kind === 'here') continue;
    const [left] = await sql<{ bytes: number }[]>`
      select pg_relation_size(${table}::regclass) as bytes`;
    if ((left?.bytes ?? 0) === 0) continue;
    await clearLeftover(sql, table);
    cleared.push(table);
  }
  return cleared;
}

/** Removes a table's local rows. Temporarily grants TRUNCATE if the migrations revoked it. */
const clearLeftover = (sql: Sql, table: string): Promise<void> =>
  sql.begin(async (tx) => {
    const [right] = await tx<{ may: boolean }[]>`
      select has_table_privilege(${table}::regclass, 'truncate') as may`;
    const name = tx(table);
    if (right?.may !== true) await tx`grant truncate on ${name} to current_user`;
    await tx`select truncate_local_data_after_distributing_table(${table}::regclass)`;
    if (right?.may !== true) await tx`revoke truncate on ${name} from current_user`;
  });

interface ShardRights {
  shard: string;
  success: boolean;
  rights: string;
}

const inOrder = (rights: string): string => rights.split(',').toSorted().join(',');

/** Describes the shards whose privileges differ from their table's, column privileges included. */
async function checkRights(sql: Queryable, { table }: TablePlace): Promise<string[]> {
  const rightsOf = (relation: string) => `
    select coalesce(array_to_string(relacl, ','), '') || coalesce((
      select string_agg(',' || attname || ':' || array_to_string(attacl, ','), '' order by attname)
      from pg_attribute where attrelid = c.oid and attacl is not null), '')
    from pg_class c where c.oid = ${relation}::regclass`;
  const [own] = await sql.unsafe<{ rights: string }[]>(`select (${rightsOf('$1')}) as rights`, [
    table,
  ]);
  const shards = await sql<ShardRights[]>`
    select format('%s on %s:%s', shardid, nodename, nodeport) as shard, success, result as rights
    from run_command_on_placements(${table}::regclass, ${rightsOf("'%s'")})`;
  const expected = inOrder(own?.rights ?? '');
  return shards
    .filter(({ success, rights }) => !success || inOrder(rights) !== expected)
    .map(({ shard, rights }) => `${table}, shard ${shard}: ${rights}`);
}

export interface Distributed {
  /** Tables distributed by this call. */
  placed: string[];
  /** Tables whose leftovers were removed. */
  cleared: string[];
  tables: { table: string; lies: string }[];
  nodes: { node: string; shards: number }[];
}

const liesAt = ({ actual }: TablePlace): string => {
  if (actual.kind === 'sharded') return `in shards by ${actual.by}`;
  return actual.kind === 'everywhere' ? 'on every node' : 'on the coordinator';
};

/** Held for the whole command, because concurrent runs would change the same tables' privileges. */
export const distributionLock = 'recaudo distribution';

interface Terms {
  shards: number;
  /** Grants the serving role its privileges again. */
  share: () => Promise<void>;
}

/**
 * Distributes the database over the nodes by account, or completes a partial run. Call it as the
 * tables' owner, with every migration applied and no other process connected. Throws 409 if the
 * cluster is not ready, another process is connected, another call is running, or nothing is left
 * to do.
 */
export async function distribute(owner: Sql, terms: Terms): Promise<Distributed> {
  const distributed = await withAdvisoryLock(
    owner,
    distributionLock,
    { mode: 'exclusive', wait: false },
    () => distributeAlone(owner, terms),
  );
  if (distributed === null) throw refusal('distribution.under_way', {});
  return distributed;
}

async function distributeAlone(owner: Sql, { shards, share }: Terms): Promise<Distributed> {
  await checkCluster(owner);
  await checkAlone(owner);
  const placed = await withAdvisoryLock(
    owner,
    migrationsLock,
    { mode: 'exclusive', wait: true },
    async (tx) => {
      await tx`select set_config('citus.shard_count', ${String(shards)}, true)`;
      return await placeTables(tx);
    },
  );
  const cleared = await clearLeftovers(owner);
  await share();
  const layout = await readLayout(owner);
  const spread = layout.filter(({ actual }) => actual.kind !== 'here');
  const wrong: string[] = [];
  for (const one of spread) wrong.push(...(await checkRights(owner, one)));
  if (wrong.length > 0) {
    throw new Error(
      `The privileges of shards differ from those of their tables:\n${wrong.join('\n')}`,
    );
  }
  // Last, because the steps above also complete an interrupted run.
  if (placed.length === 0 && cleared.length === 0) throw refusal('distribution.done_before', {});
  const nodes = await owner<{ node: string; shards: number }[]>`
    select format('%s:%s', n.nodename, n.nodeport) as node, count(s.shardid)::int as shards
    from pg_dist_node n left join pg_dist_placement p using (groupid)
    left join pg_dist_shard s on s.shardid = p.shardid and s.logicalrelid = 'accounts'::regclass
    where n.noderole = 'primary' group by 1 order by 1`;
  return {
    placed,
    cleared,
    tables: layout.map((one) => ({ table: one.table, lies: liesAt(one) })),
    nodes,
  };
}
