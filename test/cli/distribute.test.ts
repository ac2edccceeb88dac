import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { withAdvisoryLock } from '../../src/platform/postgres/advisory-lock.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { distributionLock } from '../../src/platform/postgres/distributed/distribute.ts';
import { wholeDistribution } from '../../src/platform/postgres/distributed/look.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import {
  copyTemplate,
  distributedNodes,
  distributedTemplate,
  distributedUrls,
  onEveryNode,
} from '../harness/distributed.ts';
import { recaudo } from './run.ts';

// Distributing a database takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const isGiven = distributedNodes().length > 0;

describe.skipIf(isGiven)('a single-server database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ max: 2 });
  });
  afterAll(() => database.drop());

  const run = (...args: string[]) =>
    recaudo(['distribute', ...args], {
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
    });

  test('returns null from wholeDistribution() on a plain database', async () => {
    expect(await wholeDistribution(database.sql)).toBeNull();
  });

  test('lets one command at a time distribute a database', async () => {
    const lock = { mode: 'exclusive', wait: true } as const;
    const beside = await withAdvisoryLock(database.sql, distributionLock, lock, () =>
      run('--experimental', '--json'),
    );
    expect(beside.code).toBe(1);
    expect(JSON.parse(beside.stderr)).toEqual({
      error: 'conflict',
      error_code: expect.stringMatching(/^distribution\./),
      message: expect.stringContaining('is running on this database'),
    });
  });

  test('refuses to distribute and names the remedy, and exits 2 for a wrong number of shards', async () => {
    const [untried, tried, ...wrong] = await Promise.all([
      run(),
      run('--experimental', '--json'),
      run('--shards', '0'),
      run('--shards', '257'),
      run('--shards', 'x'),
    ]);
    expect([untried?.code, untried?.stderr]).toEqual([
      1,
      expect.stringContaining('--experimental'),
    ]);
    expect(tried?.code).toBe(1);
    expect(JSON.parse(tried?.stderr ?? '')).toEqual({
      error: 'conflict',
      error_code: expect.stringMatching(/^distribution\./),
      message: expect.stringContaining('create extension citus'),
    });
    expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2]);
  });
});

/** Skipped where TEST_DISTRIBUTED_URL names no cluster (CONTRIBUTING.md). */
describe.skipIf(!isGiven)('a database on a cluster', () => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const urls = isGiven ? distributedUrls(name) : { serviceUrl: '', ownerUrl: '' };
  let owner: Sql;
  const run = (...args: string[]) =>
    recaudo(args, { DATABASE_URL: urls.serviceUrl, DATABASE_OWNER_URL: urls.ownerUrl });

  beforeAll(async () => {
    await copyTemplate(await distributedTemplate(), name);
    owner = connect(urls.ownerUrl, { max: 2, applicationName: 'test' });
  });
  afterAll(async () => {
    await owner?.end();
    await onEveryNode(`drop database ${name} with (force)`);
  });

  test('distributes a database completely and once, with each account’s tables colocated', async () => {
    const found = await wholeDistribution(owner);
    expect(found).toEqual({ nodes: 2, shards: 4, astray: [] });
    const again = await run('distribute', '--experimental');
    expect([again.code, again.stderr]).toEqual([
      1,
      'error: The database is distributed already.\n',
    ]);
  });

  test('protects immutable rows on a worker too', async () => {
    const shards = await owner<{ rights: string }[]>`
      select distinct result as rights from run_command_on_placements('journals',
        $$select array_to_string(relacl, ',') from pg_class where oid = '%s'::regclass$$)`;
    expect(shards).toHaveLength(1);
    expect(shards[0]?.rights).toContain('recaudo_owner=arxt/');
    expect(shards[0]?.rights).toContain('recaudo=ar/');
  });

  test('reports a table left on the coordinator, which `distribute` places once no service runs', async () => {
    await owner`
      create table late (account_id text, id bigint, primary key (account_id, id))`;
    await owner`insert into late values ('A1B2C3D4', 1)`;
    await expect(wholeDistribution(owner)).rejects.toThrow(/in part: late /);
    const looked = await run('doctor', '--json');
    expect([looked.code, JSON.parse(looked.stdout)]).toEqual([
      1,
      expect.arrayContaining([expect.objectContaining({ what: 'nodes', state: 'broken' })]),
    ]);
    const running = connect(urls.serviceUrl, { max: 1, applicationName: 'recaudo serve' });
    await running`select 1`;
    const beside = await run('distribute', '--experimental');
    expect([beside.code, beside.stderr]).toEqual([1, expect.stringContaining('recaudo serve')]);
    await running.end();
    const finished = await run('distribute', '--experimental', '--json');
    expect([finished.stderr, finished.code]).toEqual(['', 0]);
    expect(JSON.parse(finished.stdout)).toMatchObject({
      placed: ['late'],
      cleared: ['late'],
      faults: [],
    });
    expect(await owner`select id from late where account_id = 'A1B2C3D4'`).toEqual([{ id: 1 }]);
    expect((await wholeDistribution(owner))?.astray).toEqual([]);
  });

  test('refuses a table that is distributed by another column, and names it', async () => {
    await owner`create table odd (account_id text, id bigint, primary key (account_id, id))`;
    await owner`select create_distributed_table('odd', 'id', colocate_with => 'none')`;
    const refused = await run('distribute', '--experimental');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('odd were')]);
    await owner`drop table odd`;
  });
});
