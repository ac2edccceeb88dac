import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable, Sql } from '../../src/platform/postgres/connect.ts';
import { auditReports } from '../../src/reports/index.ts';
import { connectSuperuser } from '../harness/database.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
let superuser: Sql;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  superuser = connectSuperuser(service.databaseUrl);
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    select cuit, 'SIRTAC', 'Chaco', '2020-01-01', 10000 from accounts`;
  const id = await player.create({ first_total: 1000 });
  await player.pay(id, { channel: 'wire_transfer' });
  await player.move({ days: 1 });
  await player.refund(id, { amount: 400 });
  const other = await player.create({ first_total: 500 });
  await player.pay(other);
  await player.chargeback(other);
});
afterAll(async () => {
  await superuser.end();
  await service.stop();
});

/** Tampers as superuser, returns the audit's findings, and undoes the change. */
async function faultsAfter(tamper: (sql: Queryable) => Promise<unknown>): Promise<string[]> {
  const undone = new Error('undone');
  let faults: string[] = [];
  const trial = superuser.begin(async (tx) => {
    await tamper(tx);
    faults = await auditReports(tx, testAccount);
    throw undone;
  });
  await expect(trial).rejects.toBe(undone);
  return faults;
}

test('reports nothing if reports match the ledger', async () => {
  expect(await auditReports(service.sql, testAccount)).toEqual([]);
  expect(await player.faults()).toEqual([]);
});

test.each([
  ['collected', 'collection', 'amount = amount + 1'],
  ['collected', 'fees of collection', 'net_fee = net_fee + 1'],
  ['collected', 'fees of collection', 'fee_iva = fee_iva - 1'],
  ['refund', 'refund', 'amount = amount - 1'],
  ['chargeback', 'chargeback', 'amount = amount + 1'],
])('finds a changed result (%s) in the report %s', async (type, report, set) => {
  const faults = await faultsAfter(
    (sql) => sql`update results set ${sql.unsafe(set)} where type = ${type} and charged_back = 0`,
  );
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) expect(fault).toMatch(`the report ${report} of `);
});

test('names both days of a result moved to another day', async () => {
  const faults = await faultsAfter(
    (sql) => sql`update results set informed_on = informed_on - 1 where type = 'refund'`,
  );
  expect(faults).toEqual([
    expect.stringMatching(/^the report refund of \S+ shows 400.00, but the ledger has 0.00$/),
    expect.stringMatching(/^the report refund of \S+ shows 0.00, but the ledger has 400.00$/),
  ]);
});

test('finds a missing withholding and a missing journal', async () => {
  expect(await faultsAfter((sql) => sql`delete from withholdings where amount < 0`)).toEqual([
    expect.stringContaining('the report retentions of '),
  ]);
  const faults = await faultsAfter((sql) => sql`delete from journals where kind = 'release'`);
  expect(faults).toEqual([expect.stringContaining('the settlement reports of all days sum to')]);
});
