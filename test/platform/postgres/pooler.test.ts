import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DatabaseAway } from '../../../src/platform/errors.ts';
import { withAdvisoryLock } from '../../../src/platform/postgres/advisory-lock.ts';
import { connect, type Sql } from '../../../src/platform/postgres/connect.ts';
import { doing } from '../../../src/platform/postgres/deadlines.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';
import { findPgbouncer, openPooler } from '../../harness/pgbouncer.ts';

vi.setConfig({ testTimeout: 30_000 });

const installed = findPgbouncer();
const connections = 3;

const manners = installed?.keepsStatements ? [false, true] : [false];

describe.skipIf(installed === null)('behind PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Awaited<ReturnType<typeof openPooler>>;
  beforeAll(async () => {
    if (!installed) return;
    database = await createTestDatabase({ migrated: false, max: 3 });
    await database.sql`create table pooled (n int, days date[])`;
    pooler = await openPooler(installed, database.url, connections);
  });
  afterAll(async () => {
    await pooler?.close();
    await database?.drop();
  });

  const behind = async (prepare: boolean, work: (sql: Sql) => Promise<void>): Promise<void> => {
    const sql = connect(pooler.url, { max: 12, applicationName: 'pooled', prepare });
    try {
      await work(sql);
    } finally {
      await sql.end();
    }
  };

  test.each(manners)('mixes statements, transactions and long reads (prepared: %s)', (prepare) =>
    behind(prepare, async (sql) => {
      const day = Temporal.PlainDate.from('2026-11-21');
      const work = async (n: number): Promise<void> => {
        for (let turn = 0; turn < 20; turn += 1) {
          const [row] = await sql`select ${n}::int as n, ${[day]}::date[] as days`;
          expect(row).toEqual({ n, days: [day] });
          await sql.begin(async (tx) => {
            await tx`insert into pooled values (${n}, ${[day]}::date[])`;
            const [zone] = await tx`select current_setting('TimeZone') as zone`;
            expect(zone?.zone).toBe('UTC');
          });
        }
        let rows = 0;
        for await (const piece of sql`select generate_series(1, ${n + 100})`.cursor(30)) {
          rows += piece.length;
        }
        expect(rows).toBe(n + 100);
      };
      await Promise.all(Array.from({ length: 12 }, (_none, n) => work(n)));
      const [count] = await sql`select count(*)::int as count from pooled`;
      expect(count?.count).toBe(12 * 20);
      await sql`truncate pooled`;
    }),
  );

  test('ties a lock to its transaction, whichever connections others get', () =>
    behind(false, async (sql) => {
      const take = () =>
        withAdvisoryLock(sql, 'pooled', { mode: 'exclusive', wait: false }, async () => 'taken');
      const inside = await withAdvisoryLock(
        sql,
        'pooled',
        { mode: 'exclusive', wait: true },
        async () => [await take(), await take()],
      );
      expect(inside).toEqual([null, null]);
      expect(await take()).toBe('taken');
    }));

  test('cancels a slow statement on the server through the pooler', () =>
    behind(false, async (sql) => {
      await expect(
        doing('readiness', async () => await sql`select pg_sleep(60)`),
      ).rejects.toBeInstanceOf(DatabaseAway);
      await vi.waitFor(
        async () => {
          const sleeping = await database.sql`
            select 1 from pg_stat_activity where query like 'select pg_sleep(60)%' and state = 'active'`;
          expect(sleeping).toEqual([]);
        },
        { timeout: 10_000 },
      );
    }));
});
