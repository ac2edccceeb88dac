import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createKey, operatorBooks } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { type PaymentFact, recordFacts } from '../../src/money/collections/index.ts';
import { sealWaiting } from '../../src/money/ledger/index.ts';
import { readRequests } from '../../src/requests/index.ts';
import { testOperator } from '../harness/actors.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { giveTerms } from '../harness/builders/terms.ts';
import { sendPayout } from '../harness/money.ts';
import { startService, type TestService } from '../harness/service.ts';
import { dayIn, withoutWorker } from './play.ts';

// A year of fifty accounts takes a minute on an idle machine.
vi.setConfig({ testTimeout: 400_000 });

/**
 * Simulates a year of fifty account holders. Every month each of them creates requests for three
 * payers. A cash network's file arrives twice, cards are charged, payments are refunded in whole or
 * in part, requests expire and are paid late, and the available balance is paid out. Half of the
 * holders swap the behavior of even and odd months.
 */
const holders = Array.from({ length: 50 }, (_unused, no) =>
  (0xacc0_0000 + no).toString(16).toUpperCase(),
);
const months = 12;

let service: TestService;
const keys = new Map<string, string>();
let firstDay: Temporal.PlainDate;

beforeAll(async () => {
  service = await startService(withoutWorker);
  const { sql } = service;
  const { base, clocks } = service.service.parts;
  firstDay = clocks.business.today();
  await sql`
    insert into accounts (id, name, cuit, city, payout_cbu, settings, created_at)
    select id, 'Club ' || no, '30' || lpad(no::text, 9, '0'), 'Rosario', '0170099220000067797370',
      case when no % 5 = 0 then '{"returns_fees": true}'::jsonb else '{}' end, created_at
    from unnest(${holders}::text[]) with ordinality as holder (id, no),
      (select created_at from accounts limit 1) as demo`;
  await sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, valid_to, rate_ppm)
    select cuit, 'SIRTAC', 'Santa Fe', ${firstDay}::date, ${firstDay.add({ months: 6 })}::date, 15000
    from accounts where name like 'Club %0'
    union all
    select cuit, 'IIBB', 'Chaco', ${firstDay}::date, null, 33333
    from accounts where name like 'Club %5' or name like 'Club %0'`;
  for (const accountId of holders.filter((_id, no) => String(no + 1).endsWith('3'))) {
    await giveTerms(service, {
      accountId,
      channel: 'non_banking',
      from: firstDay.add({ months: 5 }),
      percentagePpm: 19_999,
      fixed: 150,
      minimum: 2_500,
      days: 7,
    });
  }
  for (const accountId of holders) {
    keys.set(
      accountId,
      await createKey(
        { ...base, actor: testOperator },
        {
          id: await base.recordIds.next(),
          environment: 'sandbox',
          accountId,
          name: 'year',
          permissions: ['read', 'write', 'sandbox'],
          expiresAt: null,
          secret: null,
        },
      ),
    );
  }
});
afterAll(() => service.stop());

const post = async (accountId: string, path: string, body: unknown, wanted: number) => {
  const answer = await service.call('POST', path, { body, key: keys.get(accountId) ?? null });
  expect(answer.status, answer.text).toBe(wanted);
  return answer.body;
};

const move = (days: number) => post(holders[0] ?? '', '/sandbox/clock', { days }, 200);

interface Asked {
  accountId: string;
  even: boolean;
  cash: number;
  /** Refunded in two parts if `even`; charged back in full otherwise. */
  back: number;
  /** Paid in cash after it expired if `even`; by card otherwise. */
  last: number;
}

const amountOf = (accountId: string): number =>
  1000 + (Number.parseInt(accountId.slice(-2), 16) % 50) / 4;

async function ask(accountId: string, even: boolean): Promise<Asked> {
  const make = async (): Promise<number> => {
    const fields = { first_total: amountOf(accountId), first_due_date: dayIn(service, 10) };
    const body = paymentRequestBody(service, fields);
    return (await post(accountId, '/payment-request', body, 201)).id;
  };
  const [cash, back, last] = await Promise.all([make(), make(), make()]);
  return { accountId, even, cash, back, last };
}

/** Records a cash network's payments to all holders at once. Returns the number of new ones. */
async function file(name: string, lines: { accountId: string; id: number }[]): Promise<number> {
  const { base, calendar } = service.service.parts;
  const rows = await readRequests(service.sql, lines);
  const facts = rows.map((request, line): PaymentFact => {
    if (!request) throw new Error('a request is missing');
    return {
      request,
      type: 'collected',
      channel: 'non_banking',
      label: 'Rapipago',
      amount: request.total1,
      paidAt: base.clocks.business.now().subtract({ hours: 24 }),
      source: 'rapipago',
      sourceRef: `${name}:${line}`,
      actor: testOperator,
      attemptId: null,
      details: {},
    };
  });
  const outcomes = await recordFacts(base, calendar)(facts);
  return outcomes.filter(({ outcome }) => outcome === 'recorded').length;
}

async function month(no: number): Promise<void> {
  const asked = await Promise.all(holders.map((id, index) => ask(id, (no + index) % 2 === 0)));
  const [evens, odds] = [asked.filter(({ even }) => even), asked.filter(({ even }) => !even)];
  await move(3);
  const cash = [
    ...asked.map(({ accountId, cash: id }) => ({ accountId, id })),
    ...evens.map(({ accountId, back: id }) => ({ accountId, id })),
  ];
  expect(await file(`cash ${no}`, cash)).toBe(cash.length);
  expect(await file(`cash ${no}`, cash)).toBe(0);
  await Promise.all([
    ...evens.map(({ accountId, back }) =>
      post(accountId, `/sandbox/refund/${back}`, { amount: 333.33 }, 200),
    ),
    ...odds.flatMap(({ accountId, back, last }) => [
      post(accountId, `/sandbox/pay/${back}`, { channel: 'wire_transfer' }, 200),
      post(accountId, `/sandbox/pay/${last}`, { channel: 'credit_card' }, 200),
    ]),
  ]);
  await move(9);
  const late = evens.map(({ accountId, last: id }) => ({ accountId, id }));
  expect(await file(`late ${no}`, late)).toBe(late.length);
  await Promise.all([
    ...evens.map(({ accountId, back }) => post(accountId, `/sandbox/refund/${back}`, {}, 200)),
    ...odds.map(({ accountId, back }) => post(accountId, `/sandbox/chargeback/${back}`, {}, 200)),
  ]);
  const pay = sendPayout(service.service.parts.base);
  for (const accountId of holders) {
    const reference = `month ${no}`;
    await pay({ accountId, amount: null, reference, actor: testOperator });
  }
  await move(18);
}

test('keeps the books and reports of fifty accounts consistent over a year', async () => {
  for (let no = 1; no <= months; no += 1) await month(no);
  for (const accountId of [operatorBooks, ...holders]) {
    expect(await auditAccount(service.sql, accountId)).toEqual([]);
  }
  for (const accountId of holders) await sealWaiting(service.sql, accountId);
  for (const accountId of holders) {
    expect(await auditAccount(service.sql, accountId)).toEqual([]);
  }
}, 120_000);

test('accounts for a holder’s whole year in the daily reports, to the cent', async () => {
  const [accountId = ''] = holders.slice(-10);
  const get = async (path: string) =>
    (await service.call('GET', path, { key: keys.get(accountId) ?? null })).body;
  const today = service.service.parts.clocks.business.today();
  let [collected, settled, paidOut] = [0, 0, 0];
  for (
    let day = firstDay;
    Temporal.PlainDate.compare(day, today) <= 0;
    day = day.add({ days: 1 })
  ) {
    const [collection, settlement] = await Promise.all([
      get(`/report/collection/${day}`),
      get(`/report/settlement/${day}`),
    ]);
    collected += Math.round(collection.total_collected * 100);
    settled += Math.round(settlement.settlement_amount * 100);
    for (const { request_id, debit } of settlement.data) {
      if (request_id === undefined) paidOut += Math.round(debit * 100);
    }
  }
  expect(collected).toBe(months * 3 * centavos(amountOf(accountId) * 100));
  const [sums] = await service.sql<{ paid: number }[]>`
    select sum(amount)::bigint as paid from payouts where account_id = ${accountId}`;
  expect(paidOut).toBe(sums?.paid);
  const { available_balance } = await get('/account/balances');
  expect(settled).toBe(Math.round(available_balance * 100));
}, 60_000);
