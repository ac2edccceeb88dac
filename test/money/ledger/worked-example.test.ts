import { afterAll, beforeAll, expect, test } from 'vitest';
import { setAccount } from '../../../src/accounts/index.ts';
import { centavos } from '../../../src/kernel/money.ts';
import { recordFacts } from '../../../src/money/collections/index.ts';
import { ledgerAccountName } from '../../../src/money/ledger/chart.ts';
import { readBalances } from '../../../src/money/ledger/store.ts';
import { system } from '../../../src/platform/actor.ts';
import { readRequests } from '../../../src/requests/index.ts';
import { testOperator } from '../../harness/actors.ts';
import { sendPayout } from '../../harness/money.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());

interface Line {
  kind: string;
  account: number;
  amount: number;
}

test('posts the amounts shown in docs/explanation/money.md', async () => {
  const { base } = service.service.parts;
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    select cuit, 'SIRTAC', 'Salta', '2020-01-01', 25000 from accounts`;
  const id = await player.create({ first_total: 2503.95 });
  const [request] = await readRequests(base.sql, [{ accountId: testAccount, id }]);
  if (!request) throw new Error('not created');
  // Recorded as a fact, because the simulator's cards refund payments with these cents.
  await recordFacts(
    base,
    service.service.parts.calendar,
  )([
    {
      request,
      type: 'collected',
      channel: 'credit_card',
      label: 'Visa',
      amount: centavos(250_395),
      paidAt: base.clocks.business.now(),
      source: 'test',
      sourceRef: '1',
      actor: system,
      attemptId: null,
      details: {},
    },
  ]);
  await player.refund(id, { amount: 1000 });
  await player.move({ days: 30 });
  expect(await player.balances()).toEqual([1314.86, 0]);
  await setAccount({ ...base, actor: testOperator })({
    accountId: testAccount,
    payoutCbu: '2850590940090418135201',
  });
  await sendPayout(base)({
    accountId: testAccount,
    amount: null,
    reference: 'p',
    actor: testOperator,
  });

  const lines = await service.sql<Line[]>`
    select kind, line.account, line.amount from journals,
      unnest(accounts, amounts) with ordinality as line (account, amount, no)
    where account_id = ${testAccount} order by at, id, no`;
  const posted = lines.map(({ kind, account, amount }) => [
    kind,
    ledgerAccountName(account),
    amount / 100,
  ]);
  expect(posted).toEqual([
    ['collection', 'clearingCreditCard', 2503.95],
    ['collection', 'holderUnavailable', -2289.86],
    ['collection', 'feeIncome', -125.2],
    ['collection', 'vatPayable', -26.29],
    ['collection', 'withholdingsPayable', -62.6],
    ['refund', 'clearingCreditCard', -1000],
    ['refund', 'withholdingsPayable', 25],
    ['refund', 'holderUnavailable', 975],
    ['release', 'holderUnavailable', 1314.86],
    ['release', 'holderAvailable', -1314.86],
    ['payout', 'holderAvailable', 1314.86],
    ['payout', 'clearingPayouts', -1314.86],
  ]);
  const balances = [...(await readBalances(service.sql, testAccount))]
    .map(([account, amount]) => [ledgerAccountName(account), amount / 100])
    .filter(([, amount]) => amount !== 0);
  expect(Object.fromEntries(balances)).toEqual({
    clearingCreditCard: 1503.95,
    feeIncome: -125.2,
    vatPayable: -26.29,
    withholdingsPayable: -37.6,
    clearingPayouts: -1314.86,
  });
  expect(await player.faults()).toEqual([]);
});
