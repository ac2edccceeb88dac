import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount, evidences } from '../../src/audit/index.ts';
import { sealAll } from '../../src/money/ledger/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { sealBehind } from '../../src/seals/index.ts';
import { connectSuperuser } from '../harness/database.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
let superuser: Sql;

beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  superuser = connectSuperuser(service.databaseUrl, { applicationName: 'restore' });
});
afterAll(async () => {
  await superuser.end();
  await service.stop();
});

const sealOnce = async (): Promise<void> => {
  const { sealer, base } = service.service.parts;
  await sealAll(base.sql, sealer);
  await sealBehind(base.sql, sealer, evidences);
};
/** How often each event of the account was sealed. */
const timesSealed = async (): Promise<number[]> => {
  const rows = await superuser<{ times: number }[]>`
    select (select count(*)::int from seals s, unnest(s.keys) as key
      where s.account_id = e.account_id and s.kind = 'event'
        and key = concat_ws('|', e.entity, e.entity_id, e.version)) as times
    from events e where account_id = ${testAccount}`;
  return rows.map(({ times }) => times);
};
const allSealed = () =>
  vi.waitFor(
    async () => {
      await sealOnce();
      expect(new Set(await timesSealed())).toEqual(new Set([1]));
    },
    { timeout: 20_000, interval: 100 },
  );
const faults = () =>
  auditAccount(service.sql, testAccount, { keys: service.service.parts.sealer.keys });

test('in another cluster, whose transactions have lower numbers, sealing goes on by itself: each event once', async () => {
  const first = await player.create();
  await allSealed();
  // Written before the dump, and not sealed yet.
  await player.pay(first);
  // What a dump of a busier cluster says: its numbers are a million ahead of this one's. The rows
  // are sealed with their numbers, so the seals are of that cluster too.
  await superuser`delete from seals where account_id <> '-'`;
  await superuser`delete from seal_links`;
  await superuser`delete from seal_marks`;
  await superuser`delete from balance_deltas`;
  await superuser`update events set xid = xid + 1000000`;
  await superuser`
    insert into seal_marks (account_id, next_xid)
    select '', max(xid) from events union all
    select account_id, max(xid) from events group by account_id`;
  const second = await player.create();
  await player.pay(second);
  await allSealed();
  await player.refund(second);
  await allSealed();
  const own = (await faults()).filter((fault) => !/^journal|balance/.test(JSON.stringify(fault)));
  expect(own.filter((fault) => /event/.test(JSON.stringify(fault)))).toEqual([]);

  await superuser`update events set data = '{"forged": true}' where account_id = ${testAccount}
    and entity_id = ${String(second)} and version = 1`;
  expect(JSON.stringify(await faults())).toMatch(
    new RegExp(`event payment_request ${second} 1 is not as it was sealed`),
  );
});
