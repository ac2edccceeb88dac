import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBase } from '../../src/composition/base.ts';
import { draftSweep } from '../../src/imports/lapse.ts';
import { createLog } from '../../src/platform/log.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`
    insert into imports (account_id, id, kind, state, version, created_at, file_name, sha256,
      columns, notes, way, matched, row_count, page_count)
    select 'A0000001', no, 'qr', case when no % 100 = 0 then 'discarded' else 'completed' end, 1,
      now(), 'a.xlsx', sha256(no::text::bytea), '[]', '[]', '{"top":[]}', '{}', 1, 1
    from generate_series(1, 5000) as no`;
  await database.sql`analyze imports`;
});
afterAll(() => database.drop());

test('looks for leftovers of discarded imports without reading the others', async () => {
  const { base } = await createBase(database.sql, createLog('silent'));
  const read = await database.sql.begin(async (tx) => {
    const sweep = draftSweep({ ...base, sql: tx as unknown as Sql });
    expect(await sweep.nextDue()).toBeNull();
    const [stats] = await tx<{ read: number }[]>`
      select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables
      where relname = 'imports'`;
    return stats?.read ?? 0;
  });
  expect(read).toBeGreaterThanOrEqual(50);
  expect(read).toBeLessThan(500);
});
