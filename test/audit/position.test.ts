import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { connectSuperuser } from '../harness/database.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
let superuser: Sql;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  superuser = connectSuperuser(service.databaseUrl);
  await player.pay(await player.create());
  await sealEvents(service);
  await player.pay(await player.create());
  await sealEvents(service);
});
afterAll(async () => {
  await superuser?.end();
  await service?.stop();
});

const faults = async () =>
  (await auditAccount(service.sql, testAccount, { keys: service.service.parts.sealer.keys })).map(
    ({ what }) => what,
  );
const movedBack = expect.stringContaining('sealer’s position');

test.each([
  ['lost', () => superuser`delete from seal_marks where account_id = ${testAccount}`],
  [
    'moved back',
    () => superuser`update seal_marks set next_xid = 0 where account_id = ${testAccount}`,
  ],
])('reports a position of the sealer that was %s, and no other', async (_how, tamper) => {
  const [mark] = await superuser<{ next_xid: number }[]>`
    select next_xid from seal_marks where account_id = ${testAccount}`;
  // An event that waits for the sealer is no fault.
  await player.create();
  expect(await faults()).toEqual([]);
  await tamper();
  expect(await faults()).toEqual([movedBack]);
  await superuser`
    insert into seal_marks (account_id, next_xid) values (${testAccount}, ${mark?.next_xid ?? 0})
    on conflict (account_id) do update set next_xid = excluded.next_xid`;
  await sealEvents(service);
  expect(await faults()).toEqual([]);
});

test('reports a changed row that the sealer sealed again because its position was moved back', async () => {
  await superuser`
    update accounts set payout_cbu = '2850590940090418135201' where id = ${testAccount}`;
  expect(await faults()).toEqual([`account ${testAccount} differs from its seal`]);
  await superuser`update seal_marks set next_xid = 0 where account_id in ('', ${testAccount})`;
  await sealEvents(service);
  expect(await faults()).toEqual([movedBack]);
});
