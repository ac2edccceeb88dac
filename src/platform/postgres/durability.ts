import type { Queryable } from './connect.ts';
import { hasExtension } from './distributed/layout.ts';

/** A server setting that is off, so that a crash loses acknowledged writes. */
export interface Laxity {
  setting: string;
  /** The node of a distributed database; null: the server itself. */
  node: string | null;
}

/** If off, a commit is acknowledged before it is on disk. Each server has its own. */
const settings = ['fsync', 'synchronous_commit'];

const offHere = `
  select coalesce(string_agg(name, ',' order by name), '') as settings from pg_settings
  where name in (${settings.map((name) => `'${name}'`).join(', ')}) and setting = 'off'`;

const named = (names: string, node: string | null): Laxity[] =>
  names === '' ? [] : names.split(',').map((setting) => ({ setting, node }));

/** Settings that let the server lose commits; also those of its reachable nodes. */
export async function laxities(sql: Queryable): Promise<Laxity[]> {
  const [here] = await sql.unsafe<{ settings: string }[]>(offHere);
  const own = named(here?.settings ?? '', null);
  if (!(await hasExtension(sql))) return own;
  const nodes = await sql<{ node: string; settings: string }[]>`
    select format('%s:%s', nodename, nodeport) as node, result as settings
    from run_command_on_workers(${offHere}) where success order by 1`;
  return [...own, ...nodes.flatMap(({ node, settings: names }) => named(names, node))];
}

/** A warning for the operator; null if a crash loses nothing acknowledged. */
export async function forgetful(sql: Queryable): Promise<string | null> {
  const found = await laxities(sql);
  if (found.length === 0) return null;
  const said = found.map(({ setting, node }) => `${setting} = off${node ? ` on ${node}` : ''}`);
  return `${said.join(', ')}: a crash of the database loses payments that were answered`;
}
