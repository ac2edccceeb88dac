import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealAccount } from '../../src/money/ledger/index.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf, withoutWorker } from './play.ts';

/**
 * Simulates half a year of a club that collects fees. Each month seven members get a request. They
 * pay the same way every month, so that each figure below can be computed on paper.
 */
let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    select cuit, 'SIRTAC', 'Santa Fe', '2020-01-01', 20000 from accounts`;
});
afterAll(() => service.stop());

/** The club's net income from a member's month, in centavos. */
const left = {
  // 1000.00 in cash: 2.5 % is 25.00, VAT 5.25, withheld 20.00.
  cash: 100_000 - 2_500 - 525 - 2_000,
  // 1000.00 by credit card: 5 % is 50.00, VAT 10.50, withheld 20.00.
  card: 100_000 - 5_000 - 1_050 - 2_000,
  // 1100.00, the second total, by QR: 0.8 % is 8.80, VAT 1.85, withheld 22.00.
  late: 110_000 - 880 - 185 - 2_200,
  // 1000.00 by transfer, 400.00 refunded: fee 8.00 and VAT 1.68 are retained, withheld 20.00 -
  // 8.00.
  partly: 100_000 - 800 - 168 - 2_000 - (40_000 - 800),
  // 1000.95 by debit card, reversed a day later: the holder bears fee 25.02 and VAT 5.25.
  reverted: -2_502 - 525,
  // 1000.00 through Pago Mis Cuentas, twice by mistake, one of them refunded: 15.00 and 3.15 twice.
  twice: 100_000 - 2_000 - 2 * (1_500 + 315),
  // Refused for insufficient funds, expired, then paid in cash: 1000.91. 2.5 % is 25.02, VAT 5.25,
  // withheld 20.02.
  expired: 100_091 - 2_502 - 525 - 2_002,
};

async function month(): Promise<void> {
  const due = { first_due_date: dayIn(service, 10) };
  const second = { second_due_date: dayIn(service, 20), second_total: 1100 };
  const make = (first_total = 1000, more = {}) => player.create({ first_total, ...due, ...more });
  const cash = await make();
  const card = await make();
  const late = await make(1000, second);
  const partly = await make();
  const reverted = await make(1000.95);
  const twice = await make();
  const expired = await make(1000.91);

  await player.move({ days: 3 });
  await player.pay(cash);
  await player.pay(card, { channel: 'credit_card', installments: 6 });
  await player.pay(reverted, { channel: 'debit_card' });
  await player.pay(twice, { channel: 'banelco_pmc' });
  await player.pay(twice, { channel: 'banelco_pmc' });
  expect((await player.pay(expired, { channel: 'DEBIN' })).body.state).toBe('pending');

  await player.move({ days: 4 });
  await player.pay(partly, { channel: 'wire_transfer' });
  await player.refund(partly, { amount: 400 });
  await player.refund(twice);

  await player.move({ days: 8 });
  expect((await player.pay(late, { channel: 'qr' })).body.request_result[0].amount).toBe(1100);
  expect((await player.get(expired)).state).toBe('expired');
  await player.pay(expired);

  await player.move({ days: 15 });
  const states = await Promise.all(
    [cash, card, late, partly, reverted, twice, expired].map(
      async (id) => (await player.get(id)).state,
    ),
  );
  expect(states).toEqual(['paid', 'paid', 'paid', 'paid', 'reverted', 'paid', 'paid']);
}

test('matches books computed by hand after six months of a club', async () => {
  for (let no = 0; no < 6; no += 1) {
    await month();
    await sealAccount(service.sql, testAccount);
    expect(await player.faults()).toEqual([]);
  }
  await player.move({ days: 40 });
  const monthly = Object.values(left).reduce((sum, amount) => sum + amount, 0);
  expect(monthly).toBe(537_897);
  expect(await player.balances()).toEqual([(6 * monthly) / 100, 0]);
  expect(await player.faults()).toEqual([]);

  const withheld = [2_000, 2_000, 2_200, 2_000 - 800, 0, 2_000, 2_002];
  const [row] = await service.sql<{ withheld: number; requests: number; seals: number }[]>`
    select (select sum(amount)::bigint from withholdings) as withheld,
      (select count(*)::int from requests) as requests, (select count(*)::int from seals) as seals`;
  expect(row).toEqual({
    withheld: 6 * withheld.reduce((sum, amount) => sum + amount, 0),
    requests: 42,
    seals: 6,
  });
});
