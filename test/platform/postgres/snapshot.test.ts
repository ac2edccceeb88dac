import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from '../../../src/platform/postgres/connect.ts';
import { readSnapshot } from '../../../src/platform/postgres/snapshot.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrated: false, max: 4 });
  await database.sql`create table facts (id int primary key)`;
  await database.sql`insert into facts values (1)`;
});
afterAll(() => database.drop());

const seenBy = async (reader: Queryable): Promise<number[]> =>
  (await reader<{ id: number }[]>`select id from facts order by id`).map(({ id }) => id);

test.each([1, 2, 3])(
  'gives %i readers a connection each, with the same snapshot',
  async (count) => {
    const before = await seenBy(database.sql);
    await readSnapshot(database.sql, count, async (readers) => {
      await database.sql`insert into facts select max(id) + 1 from facts`;
      const pids = await Promise.all(
        readers.map(async (reader) => (await reader`select pg_backend_pid() as pid`)[0]?.pid),
      );
      expect(new Set(pids).size).toBe(count);
      for (const reader of readers) expect(await seenBy(reader)).toEqual(before);
    });
    expect(await seenBy(database.sql)).toHaveLength(before.length + 1);
  },
);

test('forbids writes, reports a reader’s failure, and keeps the connections', async () => {
  const before = await seenBy(database.sql);
  await expect(
    readSnapshot(
      database.sql,
      2,
      async ([, second]) => await second?.unsafe('insert into facts values (99)'),
    ),
  ).rejects.toThrow('read-only transaction');
  expect(await seenBy(database.sql)).toEqual(before);
  expect(await readSnapshot(database.sql, 4, async (readers) => readers.length)).toBe(4);
});
