import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openEmbedded } from '../../src/platform/embedded/embedded.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { recaudo, recaudoProcess } from './run.ts';

// Four database servers start in sequence.
vi.setConfig({ testTimeout: 90_000 });

/** The start of the service, and commands of several kinds. */
const commands = [
  ['serve'],
  ['migrate'],
  ['accounts', 'list'],
  ['audit'],
  ['rails', 'list'],
  ['calendar', 'list'],
];

/** Creates an earlier release's schema: its migration list and one of its tables. */
async function plant(sql: Sql): Promise<void> {
  await sql`create table migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null)`;
  await sql`insert into migrations (name, checksum, applied_at) values
    ('20261121T0900_foundation.sql', 'a', '2026-11-21T12:00:00Z'),
    ('20261121T1000_attempt_lanes.sql', 'b', '2026-11-21T12:00:00Z')`;
  await sql`create table service_secrets (name text primary key, value bytea not null)`;
}

const tablesOf = async (sql: Sql): Promise<string[]> =>
  (
    await sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') order by relname`
  ).map(({ name }) => name);

let database: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false });
  await plant(database.sql);
  dataDir = await mkdtemp(path.join(tmpdir(), 'recaudo-earlier-'));
});
afterAll(async () => {
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test('refuses a database of an earlier schema at every start and command, and does not change it', async () => {
  const { host, pathname } = new URL(database.url);
  const said =
    `The database ${pathname.slice(1)} on ${host} holds the schema of an earlier release, which ` +
    'this one does not continue: start with an empty database.';
  for (const command of commands) {
    const run = command[0] === 'serve' ? recaudoProcess : recaudo;
    const { code, stdout, stderr } = await run(command, {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PORT: '0',
      METRICS_PORT: '0',
    });
    expect([command, code, stdout], stderr).toEqual([command, 1, '']);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain(said);
  }
  expect(await tablesOf(database.sql)).toEqual(['migrations', 'service_secrets']);
});

test('refuses a data directory with an earlier schema, and names it', async () => {
  const embedded = await openEmbedded({ dataDir, log: () => {} });
  const sql = connect(embedded.ownerUrl, { max: 1, applicationName: 'test' });
  await plant(sql);
  await sql.unsafe(`grant select on migrations to ${new URL(embedded.url).username}`);
  await sql.end();
  await embedded.close();
  for (const command of [['serve'], ['migrate'], ['accounts', 'list']]) {
    const run = command[0] === 'serve' ? recaudoProcess : recaudo;
    const { code, stderr } = await run(command, {
      DATA_DIR: dataDir,
      VAULT_KEYS: testVaultKeys,
      PORT: '0',
      METRICS_PORT: '0',
      LOG_LEVEL: 'warn',
    });
    expect(code, stderr).toBe(1);
    expect(stderr).toContain(
      `The data directory ${dataDir} holds the schema of an earlier release, which this one does ` +
        'not continue: start with an empty data directory.',
    );
  }
});
