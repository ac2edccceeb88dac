import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClocks } from '../../src/platform/clocks.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createSweeper, type Sweep } from '../../src/platform/sweeps.ts';
import { asSuperuser, createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { startService, type TestService } from '../harness/service.ts';

let database: TestDatabase;
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase();
  // Sessions find this clock before the server's own.
  await asSuperuser(
    `create table clock_error (seconds int not null);
    insert into clock_error values (0);
    grant select, update on clock_error to public;
    create function clock_timestamp() returns timestamptz language sql volatile as
      'select pg_catalog.clock_timestamp() + (select seconds from clock_error) * interval ''1 s''';
    alter database "${new URL(database.url).pathname.slice(1)}"
      set search_path = public, pg_catalog`,
    database.url,
  );
  service = await startService({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

const shiftDatabase = (seconds: number) =>
  service.service.parts.base.sql`update clock_error set seconds = ${seconds}`;
const readiness = async () => {
  await service.service.parts.clocks.refresh();
  const { status, body } = await service.call('GET', '/readyz', { key: null });
  return { status, code: body.error_code };
};

test('is not ready while its clock and the database’s are over five minutes apart', async () => {
  expect(await readiness()).toMatchObject({ status: 200 });
  for (const seconds of [-86_400, -315, 315, 86_400]) {
    await shiftDatabase(seconds);
    expect(await readiness()).toEqual({ status: 503, code: 'clocks_apart' });
  }
  await shiftDatabase(285);
  expect(await readiness()).toMatchObject({ status: 200 });
});

test('runs no sweep while the clocks are apart, and runs it once they agree', async () => {
  let runs = 0;
  const due = Temporal.Now.instant();
  const sweep: Sweep = {
    name: 'due',
    nextDue: async () => due,
    run: async () => {
      runs += 1;
      return 1;
    },
  };
  const parts = { log: createLog('silent'), metrics: createMetrics() };
  const { sql } = service.service.parts.base;
  const clocks = await createClocks(sql);
  const sweeper = createSweeper(sql, clocks, [sweep], parts);
  await shiftDatabase(-86_400);
  expect(await sweeper.tick()).toBeNull();
  expect(runs).toBe(0);
  await shiftDatabase(0);
  await sweeper.tick();
  expect(runs).toBe(1);
});
