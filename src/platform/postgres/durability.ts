import type { Queryable } from './connect.ts';
import { hasExtension } from './distributed/layout.ts';

/** A server setting that lets a crash lose acknowledged writes. */
export interface Laxity {
  setting: string;
  /** Node of a distributed database. Null for the server itself. */
  node: string | null;
}

/**
 * Settings that, if off, let a server acknowledge commits before they are on disk. Each server has
 * its own values.
 */
const settings = ['fsync', 'synchronous_commit'];

const offHere = `
  select coalesce(string_agg(name, ',' order by name), '') as settings from pg_settings
  where name in (${settings.map((name) => `'${name}'`).join(', ')}) and setting = 'off'`;

const named = (names: string, node: string | null): Laxity[] =>
  names === '' ? [] : names.split(',').map((setting) => ({ setting, node }));

/** Returns those of the settings that are off, on this server and on reachable nodes. */
export async function laxities(sql: Queryable): Promise<Laxity[]> {
  const [here] = await sql.unsafe<{ settings: string }[]>(offHere);
  const own = named(here?.settings ?? '', null);
  if (!(await hasExtension(sql))) return own;
  const nodes = await sql<{ node: string; settings: string }[]>`
    select format('%s:%s', nodename, nodeport) as node, result as settings
    from run_command_on_workers(${offHere}) where success order by 1`;
  return [...own, ...nodes.flatMap(({ node, settings: names }) => named(names, node))];
}

/** Returns a warning for the operator, or null if a crash loses nothing acknowledged. */
export async function forgetful(sql: Queryable): Promise<string | null> {
  const found = await laxities(sql);
  if (found.length === 0) return null;
  const said = found.map(({ setting, node }) => `${setting} = off${node ? ` on ${node}` : ''}`);
  return `${said.join(', ')}: a crash of the database loses payments that were answered`;
}
