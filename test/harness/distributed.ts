import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { distribute } from '../../src/platform/postgres/distributed/distribute.ts';
import { migrate } from '../../src/platform/postgres/migrate.ts';
import { shareWith } from '../../src/platform/postgres/roles.ts';

/**
 * Creates test databases on a cluster with the citus extension. `TEST_DISTRIBUTED_URL` lists the
 * superuser URLs of its nodes, separated by commas, the coordinator first. Each version of the
 * migrations and of the code that distributes tables gets one template, which every node copies for
 * each test database.
 */

const root = path.join(import.meta.dirname, '../..');
const shards = 4;

export const distributedNodes = (): string[] =>
  (process.env.TEST_DISTRIBUTED_URL ?? '').split(',').filter((url) => url !== '');

const at = (url: string, database: string, user?: string): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  if (user !== undefined) {
    changed.username = user;
    changed.password = 'x';
  }
  return changed.href;
};

async function on<T>(url: string, act: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(url, { max: 1, applicationName: 'test cluster' });
  try {
    return await act(sql);
  } finally {
    await sql.end();
  }
}

/** Runs one statement on every node, outside a transaction, as `create database` requires. */
export const onEveryNode = async (statement: string): Promise<void> => {
  await Promise.all(
    distributedNodes().map((url) => on(url, async (sql) => void (await sql.unsafe(statement)))),
  );
};

const makeRoles = `do $$ begin
  create role recaudo_owner login password 'x';
  create role recaudo login password 'x';
exception when duplicate_object then null; end $$`;

async function stateOf(folders: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of folders) {
    for (const name of (await readdir(path.join(root, folder))).sort()) {
      hash.update(name).update(await readFile(path.join(root, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 12);
}

async function joinNodes(sql: Sql): Promise<void> {
  for (const [index, address] of distributedNodes().entries()) {
    const { hostname, port } = new URL(address);
    const add = sql.unsafe(index === 0 ? 'citus_set_coordinator_host' : 'citus_add_node');
    await sql`select ${add}(${hostname}, ${Number(port || 5432)}::int)`;
  }
}

async function fillTemplate(coordinator: string, name: string): Promise<void> {
  const owner = connect(at(coordinator, name, 'recaudo_owner'), {
    max: 2,
    applicationName: 'recaudo template',
  });
  try {
    const moment = Temporal.Instant.from('2026-11-21T12:00:00Z');
    await migrate(owner, path.join(root, 'migrations'), moment);
    const share = () => shareWith(owner, 'recaudo');
    await share();
    await distribute(owner, { shards, share });
  } finally {
    await owner.end();
  }
}

/** Returns the addresses of a test database on the coordinator. */
export const distributedUrls = (name: string) => {
  const [coordinator = ''] = distributedNodes();
  return {
    superuserUrl: at(coordinator, name),
    ownerUrl: at(coordinator, name, 'recaudo_owner'),
    serviceUrl: at(coordinator, name, 'recaudo'),
  };
};

/** Creates the distributed template if it is missing. Returns its name. */
export async function distributedTemplate(): Promise<string> {
  const name = `recaudo_${await stateOf(['migrations', 'src/platform/postgres/distributed'])}`;
  const [coordinator = ''] = distributedNodes();
  const isThere = await on(coordinator, async (sql) => {
    const found = await sql`select 1 from pg_database where datname = ${name} and datistemplate`;
    return found.length > 0;
  });
  if (isThere) return name;
  await onEveryNode(makeRoles);
  await onEveryNode(`drop database if exists ${name} with (force)`);
  await onEveryNode(`create database ${name} owner recaudo_owner`);
  for (const url of distributedNodes()) {
    await on(at(url, name), async (sql) => void (await sql.unsafe('create extension citus')));
  }
  await on(at(coordinator, name), joinNodes);
  await fillTemplate(coordinator, name);
  // A template can be copied only while no session uses it, not even the extension's maintenance.
  await onEveryNode(`alter database ${name} with is_template true allow_connections false`);
  return name;
}

/** Copies the template on every node. */
export async function copyTemplate(template: string, name: string): Promise<void> {
  await onEveryNode(`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`);
  await onEveryNode(`create database ${name} owner recaudo_owner template ${template}`);
}
