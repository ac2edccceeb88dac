import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { evidences } from '../../src/audit/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { oldestUnsealed, sealLagging } from '../../src/seals/index.ts';
import { connectSuperuser } from '../harness/database.ts';
import { ended } from '../harness/many-accounts.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let superuser: Sql;

beforeAll(async () => {
  service = await startService(withoutWorker);
  superuser = connectSuperuser(service.databaseUrl, { applicationName: 'backlog' });
});
afterAll(async () => {
  await superuser.end();
  await service.stop();
});

const each = 20_000;

/** Writes the events of one transaction, like the import of a file. */
const writeEvents = (first: number) => superuser`
  insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
  select ${testAccount}, 'payment_request', no::text, 1, no, 'payment_request.paid',
    '2026-12-01T12:00:00Z', 'system', '{}'
  from generate_series(${first}::bigint, ${first + each - 1}::bigint) as no`;

test('seals a backlog in steps, each event once, and resumes after an interruption', async () => {
  const { base, sealer } = service.service.parts;
  for (let round = 1; round <= 4; round += 1) await writeEvents(900_000_000 + round * each);
  await ended(superuser);
  const windows: string[] = [];
  const seal = (cutOff: boolean) =>
    sealLagging(base.sql, sealer, evidences, (accountId) => {
      windows.push(accountId);
      if (cutOff && accountId === testAccount) throw new Error('cut off');
    });

  await expect(seal(true)).rejects.toThrow('cut off');
  const [begun] = await superuser<{ keys: number }[]>`
    select sum(cardinality(keys))::int as keys
    from seals where account_id = ${testAccount} and kind = 'event'`;
  // It sealed at least the first transaction's events, but not all.
  expect(begun?.keys).toBeGreaterThanOrEqual(each);
  expect(begun?.keys).toBeLessThan(4 * each);

  await seal(false);
  expect(windows.filter((accountId) => accountId === testAccount)).toHaveLength(3);
  const times = await superuser<{ times: number; events: number }[]>`
    select times::int, count(*)::int as events from (
      select key, count(*) as times
      from seals, unnest(keys) as key
      where account_id = ${testAccount} and kind = 'event' and key like 'payment_request|9%'
      group by key
    ) as sealed group by times`;
  expect(times).toEqual([{ times: 1, events: 4 * each }]);
});

test('dates the backlog by operators’ events too', async () => {
  const { base } = service.service.parts;
  await sealEvents(service);
  await vi.waitFor(async () => {
    await sealLagging(base.sql, service.service.parts.sealer, evidences);
    expect(await oldestUnsealed(base.sql)).toBeNull();
  });
  await superuser`
    insert into operator_events (id, entity, entity_id, type, at, actor, data)
    values (800000000, 'mail', 'all', 'mail.resent', '2026-11-01T12:00:00Z', 'system', '{}')`;
  expect(String(await oldestUnsealed(base.sql))).toBe('2026-11-01T12:00:00Z');
});
