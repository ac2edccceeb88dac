import { afterAll, beforeAll, expect, test } from 'vitest';
import { centavos } from '../../../src/kernel/money.ts';
import {
  foldAccount,
  foldAccounts,
  ledgerDays,
  readLedgerDays,
  readStatement,
  sealWaiting,
} from '../../../src/money/ledger/index.ts';
import { testOperator } from '../../harness/actors.ts';
import { sendPayout } from '../../harness/money.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
let firstDay: Temporal.PlainDate;

const today = () => service.service.parts.clocks.business.today();
const statement = () => readStatement(service.sql, testAccount, { from: firstDay, to: today() });
const { stringify } = JSON;

async function pay(channel: string, amount: number): Promise<number> {
  const id = await player.create({ first_total: amount });
  expect((await player.pay(id, { channel })).status).toBe(200);
  return id;
}

beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  firstDay = today();
  await service.sql`update accounts set payout_cbu = '2850590940090418135201'`;
  const refunded = await pay('wire_transfer', 1000);
  await pay('credit_card', 500.5);
  await player.move({ days: 4 });
  expect((await player.refund(refunded, { amount: 400 })).status).toBe(200);
  const { base } = service.service.parts;
  const order = { accountId: testAccount, amount: centavos(10_000), actor: testOperator };
  await sendPayout(base)({ ...order, reference: 'a' });
});
afterAll(() => service.stop());

test('ends a statement at the current balances, and starts the first one at zero', async () => {
  const { opening, closing, moved, groups } = await statement();
  const [available, unavailable] = (await player.balances()).map((sum) => Math.round(sum * 100));
  expect(opening.total).toBe(0);
  expect([closing.available, closing.unavailable]).toEqual([available, unavailable]);
  expect(moved).toBe(closing.total);
  expect(groups.map(({ group, amount }) => [group, amount])).toEqual(
    expect.arrayContaining([
      ['collected', 150_050],
      ['refunds', -40_000],
      ['payouts', -10_000],
    ]),
  );
});

test('does not change statements by sealing or folding, and folds only sealed rows', async () => {
  const before = stringify(await statement());
  await sealWaiting(service.sql, testAccount);
  expect(stringify(await statement())).toBe(before);
  await foldAccount(service.sql, ledgerDays, testAccount);
  expect(stringify(await statement())).toBe(before);
  await pay('qr', 70);
  const after = await statement();
  await Promise.all([
    foldAccount(service.sql, ledgerDays, testAccount),
    foldAccount(service.sql, ledgerDays, testAccount),
    sealWaiting(service.sql, testAccount),
  ]);
  await foldAccount(service.sql, ledgerDays, testAccount);
  expect(stringify(await statement())).toBe(stringify(after));
  expect(await player.faults()).toEqual([]);
});

test('folds journals that an earlier release left without days', async () => {
  const days = { from: firstDay, to: today() };
  const before = stringify(await readLedgerDays(service.sql, testAccount, days));
  await service.sql`delete from ledger_days`;
  await service.sql`delete from ledger_day_marks`;
  expect(stringify(await readLedgerDays(service.sql, testAccount, days))).toBe(before);
  await foldAccounts(service.sql, ledgerDays);
  const [folded] = await service.sql<{ rows: number }[]>`
    select count(*)::int as rows from ledger_days where account_id = ${testAccount}`;
  expect(folded?.rows).toBeGreaterThan(5);
  expect(stringify(await readLedgerDays(service.sql, testAccount, days))).toBe(before);
});

test('reports in the audit a day that differs from its journals', async () => {
  await service.sql`
    update ledger_days set credit = credit + 1
    where account_id = ${testAccount} and ledger_account = 2 and kind = 'release'`;
  const faults = await player.faults();
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(
    /^the sums of [\d-]+, holderAvailable, release differ from its journals/,
  );
  await service.sql`
    update ledger_days set credit = credit - 1
    where account_id = ${testAccount} and ledger_account = 2 and kind = 'release'`;
});
