import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CollectedTotals,
  dailyTotals,
  readDailyTotals,
  sumOfTotals,
} from '../../../src/money/collections/index.ts';
import {
  foldAccount,
  foldAccounts,
  sealAll,
  sealWaiting,
} from '../../../src/money/ledger/index.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { openTamperer, type Tamperer } from '../../harness/tamper.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
let tamperer: Tamperer;
let firstDay: Temporal.PlainDate;

const today = () => service.service.parts.clocks.business.today();
const read = () => readDailyTotals(service.sql, testAccount, { from: firstDay, to: today() });
const { stringify } = JSON;

async function pay(channel: string, amount: number): Promise<number> {
  const id = await player.create({ first_total: amount });
  expect((await player.pay(id, { channel })).status).toBe(200);
  return id;
}

const marked = async (): Promise<number | undefined> => {
  const [row] = await service.sql<{ seal_no: number }[]>`
    select seal_no from daily_total_marks where account_id = ${testAccount}`;
  return row?.seal_no;
};

/** Restores the state of a database that an earlier release without totals served. */
async function forgetTotals(): Promise<void> {
  await service.sql`delete from daily_totals`;
  await service.sql`delete from daily_total_marks`;
}

beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  tamperer = openTamperer(service);
  firstDay = today();
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    select cuit, 'SIRTAC', 'Chaco', '2020-01-01', 10000 from accounts`;
  const refunded = await pay('credit_card', 1000);
  await pay('credit_card', 500.5);
  const disputed = await pay('non_banking', 300);
  const refused = await player.create({ first_total: 100.92 });
  await player.pay(refused, { channel: 'credit_card' });
  await player.move({ days: 1 });
  expect((await player.refund(refunded, { amount: 400 })).status).toBe(200);
  expect((await player.chargeback(disputed)).status).toBe(200);
  await pay('link_pagos', 20);
});
afterAll(async () => {
  await tamperer.end();
  await service.stop();
});

/** Returns the day's reports, in centavos. */
async function reported(day: Temporal.PlainDate) {
  const report = async (name: string) => {
    const { body } = await service.call('GET', `/report/${name}/${day}`);
    return body;
  };
  const sum = (rows: Record<string, number>[], member: string) =>
    Math.round(rows.reduce((total, row) => total + (row[member] ?? 0) * 100, 0));
  const collections = (await report('collection')).data;
  const refunds = (await report('refund')).data;
  const chargebacks = (await report('chargeback')).data;
  return {
    collected: [
      collections.length,
      sum(collections, 'amount_paid'),
      sum(collections, 'net_fee'),
      sum(collections, 'iva_fee'),
    ],
    refunds: [refunds.length, sum(refunds, 'refunded_amount')],
    chargebacks: [chargebacks.length, sum(chargebacks, 'reverted_amount')],
    withheld: sum((await report('retentions')).data, 'amount'),
  };
}

const shortOf = ({ collected, refunds, chargebacks }: CollectedTotals) => ({
  collected: [collected.count, collected.gross, collected.netFee, collected.feeIva],
  refunds: [refunds.count, refunds.gross],
  chargebacks: [chargebacks.count, chargebacks.gross],
  withheld: collected.withheld + refunds.withheld + chargebacks.withheld,
});

async function expectReported(): Promise<void> {
  const totals = await read();
  for (const day of [firstDay, today()]) {
    const ofDay = totals.filter((one) => one.day.equals(day));
    expect(shortOf(sumOfTotals(ofDay))).toEqual(await reported(day));
  }
}

test('computes totals equal to each day’s reports, even before sealing', async () => {
  expect(await marked()).toBeUndefined();
  await expectReported();
  expect(
    (await read()).map(({ day, channel }) => `${day.since(firstDay).days} ${channel}`),
  ).toEqual(['0 credit_card', '0 non_banking', '1 credit_card', '1 link_pagos', '1 non_banking']);
});

test('does not change totals by sealing or folding, and folds only sealed rows', async () => {
  const before = await read();
  await sealWaiting(service.sql, testAccount);
  expect(stringify(await read())).toBe(stringify(before));
  await foldAccount(service.sql, dailyTotals, testAccount);
  expect(await marked()).toBeGreaterThan(0);
  expect(stringify(await read())).toBe(stringify(before));
  await pay('credit_card', 70);
  const after = await read();
  expect(sumOfTotals(after).collected.gross).toBe(sumOfTotals(before).collected.gross + 7000);
  await foldAccount(service.sql, dailyTotals, testAccount);
  expect(stringify(await read())).toBe(stringify(after));
  await expectReported();
});

test('includes rows sealed before totals existed, which concurrent workers fold once', async () => {
  const before = await read();
  await sealWaiting(service.sql, testAccount);
  await forgetTotals();
  expect(stringify(await read())).toBe(stringify(before));
  await Promise.all([
    foldAccounts(service.sql, dailyTotals),
    foldAccounts(service.sql, dailyTotals),
    foldAccount(service.sql, dailyTotals, testAccount),
  ]);
  expect(stringify(await read())).toBe(stringify(before));
  const rows = await service.sql`select from daily_totals where account_id = ${testAccount}`;
  expect(rows.length).toBeGreaterThan(5);
  expect(await player.faults()).toEqual([]);
});

test('folds totals at once for a large seal, and later for small ones', async () => {
  const { sealer } = service.service.parts;
  const seal = () =>
    sealAll(service.sql, sealer, (accountId) => foldAccount(service.sql, dailyTotals, accountId));
  for (let payments = 0; payments < 25; payments += 1) await pay('DEBIN', 45);
  const before = await marked();
  await seal();
  const after = await marked();
  expect(after).toBeGreaterThan(before ?? 0);
  await expectReported();

  await pay('DEBIN', 45);
  await seal();
  expect(await marked()).toBe(after);
  await expectReported();
  await foldAccounts(service.sql, dailyTotals);
  expect(await marked()).toBeGreaterThan(after ?? 0);
  await expectReported();
});

test.each([
  ['a total is changed', 'update daily_totals set amount = amount + 1 where results = 1'],
  ['a total is lost', "delete from daily_totals where channel = 'link_pagos'"],
  ['a seal is folded again', 'update daily_total_marks set seal_no = seal_no - 1'],
])('reports wrong totals in the audit if %s', async (_what, change) => {
  expect(await player.faults()).toEqual([]);
  expect(await tamperer.faultsAfter(change)).toContainEqual(
    expect.stringMatching(/^the totals of \d{4}-\d\d-\d\d, \w+, \w+ differ from its results$/),
  );
});
