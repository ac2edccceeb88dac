import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../../src/platform/postgres/connect.ts';
import { forgetful, laxities } from '../../../src/platform/postgres/durability.ts';
import { asSuperuser, createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import { distributedNodes } from '../../harness/distributed.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ max: 1 });
});
afterAll(() => database.drop());

const isGiven = distributedNodes().length > 0;

describe.skipIf(isGiven)('a server that answers before its writes are durable', () => {
  // The test server is such a server.
  test('detects such a server from settings that the serving role may read', async () => {
    const serving = connect(database.url, { max: 1, applicationName: 'test' });
    expect(await forgetful(serving)).toBe(
      'fsync = off, synchronous_commit = off: a crash of the database loses payments that were answered',
    );
    await serving.end();
  });

  test('checks the settings that apply to its own connection', async () => {
    const { pathname } = new URL(database.url);
    await asSuperuser(`alter database ${pathname.slice(1)} set synchronous_commit = 'local'`);
    const serving = connect(database.url, { max: 1, applicationName: 'test' });
    expect(await laxities(serving)).toEqual([{ setting: 'fsync', node: null }]);
    await serving.end();
  });
});

/** Skipped where TEST_DISTRIBUTED_URL names no cluster (CONTRIBUTING.md). */
test.skipIf(!isGiven)('checks a distributed database node by node', async () => {
  const [last = ''] = distributedNodes().slice(-1);
  const node = new URL(last).host;
  const { pathname } = new URL(database.url);
  const forgets = async (): Promise<boolean> => {
    const serving = connect(database.url, { max: 1, applicationName: 'test' });
    const found = await laxities(serving);
    await serving.end();
    return found.some((one) => one.node === node && one.setting === 'synchronous_commit');
  };
  const onLast = connect(new URL(pathname, last).href, { max: 1, applicationName: 'test' });
  const set = (value: string) =>
    onLast.unsafe(`alter database ${pathname.slice(1)} set synchronous_commit = '${value}'`);
  await set('on');
  expect(await forgets()).toBe(false);
  await set('off');
  expect(await forgets()).toBe(true);
  await onLast.end();
});
