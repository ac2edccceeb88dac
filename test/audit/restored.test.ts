import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount, evidences } from '../../src/audit/index.ts';
import { sealAll } from '../../src/money/ledger/index.ts';
import { lockNames } from '../../src/platform/postgres/advisory-lock.ts';
import type { Sql, Transaction } from '../../src/platform/postgres/connect.ts';
import { sealLagging } from '../../src/seals/index.ts';
import { connectSuperuser } from '../harness/database.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
let superuser: Sql;

beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  superuser = connectSuperuser(service.databaseUrl, { applicationName: 'restore', max: 2 });
});
afterAll(async () => {
  await superuser.end();
  await service.stop();
});

const sealOnce = async (): Promise<void> => {
  const { sealer, base } = service.service.parts;
  await sealAll(base.sql, sealer);
  await sealLagging(base.sql, sealer, evidences);
};
/** Counts the seals of each event of the account. */
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

/**
 * Simulates restoring a dump of a busier cluster, whose transaction ids are a million ahead. Seals
 * cover those ids, so the seals come from that cluster too.
 */
async function restore(): Promise<void> {
  await superuser`delete from seals where account_id <> '-'`;
  await superuser`delete from seal_links`;
  await superuser`delete from seal_marks`;
  await superuser`delete from balance_deltas`;
  await superuser`update events set xid = xid + 1000000`;
  await superuser`
    insert into seal_marks (account_id, next_xid)
    select '', max(xid) from events union all
    select account_id, max(xid) from events group by account_id`;
}

/** Runs `meanwhile` while the sealer waits for a lock that `hold` takes. */
async function whileSealing(
  hold: (tx: Transaction) => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const sealing = await superuser.begin(async (tx) => {
    await hold(tx);
    const sealing = sealLagging(
      service.service.parts.base.sql,
      service.service.parts.sealer,
      evidences,
    );
    await expect
      .poll(
        () => superuser`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
        { timeout: 20_000 },
      )
      .toHaveLength(1);
    await meanwhile();
    return { sealing };
  });
  await sealing.sealing;
}

/** Writes an event to an otherwise unused account. */
const writeEvent = (accountId: string, id: number) => superuser`
  insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
  values (${accountId}, 'note', '1', 1, ${id}::bigint, 'note.made', now(), 'system', '{}')`;

test('continues sealing in another cluster with lower transaction ids, and seals each event once', async () => {
  const first = await player.create();
  await allSealed();
  // This payment is in the dump, but not sealed yet.
  await player.pay(first);
  await restore();
  const second = await player.create();
  await player.pay(second);
  await allSealed();
  await player.refund(second);
  await allSealed();
  // The rows behind the events are sealed with them. `restore` removed the ledger's deltas.
  const found = (await faults()).map(({ what }) => what);
  expect(
    found.filter((what) => !/^(journal|ledger account|the sums|the totals)/.test(what)),
  ).toEqual([]);

  await superuser`update events set data = '{"forged": true}' where account_id = ${testAccount}
    and entity_id = ${String(second)} and version = 1`;
  expect(JSON.stringify(await faults())).toMatch(
    new RegExp(`event payment_request ${second} 1 differs from its seal`),
  );
});

test('seals each event once, even if written while a restored database is being sealed', async () => {
  await writeEvent('FFFFFFFF', 1);
  await restore();
  // Locks the last account, so that the sealer has finished the others.
  await whileSealing(
    (tx) => lockNames(tx, 'seal FFFFFFFF'),
    () => player.create(),
  );
  await allSealed();
});

test('seals an account that first writes while a restored database is being sealed', async () => {
  await restore();
  await whileSealing(
    (tx) => tx`select from seal_marks where account_id = '' for update`,
    () => writeEvent('EEEEEEEE', 2),
  );
  await vi.waitFor(
    async () => {
      await sealOnce();
      const keys = await superuser`
        select unnest(keys) from seals where account_id = 'EEEEEEEE' and kind = 'event'`;
      expect(keys).toHaveLength(1);
    },
    { timeout: 20_000, interval: 100 },
  );
});
