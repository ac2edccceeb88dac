import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, type KeyPermission } from '../../src/accounts/index.ts';
import { reportAnswers, reportNames } from '../../src/reports/schema.ts';
import { testOperator } from '../harness/actors.ts';
import { giveTerms } from '../harness/builders/terms.ts';
import { expectError } from '../harness/errors.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  await service.sql`
    insert into withholding_rates (cuit, regime, jurisdiction, valid_from, rate_ppm)
    select cuit, 'SIRTAC', 'Santa Fe', '2020-01-01', 25000 from accounts`;
});
afterAll(() => service.stop());

const read = (name: string, date: string, headers: Record<string, string> = {}) =>
  service.call('GET', `/report/${name}/${date}`, { headers });
const today = (name: string) => read(name, dayIn(service, 0));
const isoDay = (days: number): string =>
  service.service.parts.clocks.business.today().add({ days }).toString();

async function keyOf(accountId: string, permissions: KeyPermission[]): Promise<string> {
  const { base } = service.service.parts;
  return await createKey(
    { ...base, actor: testOperator },
    {
      id: await base.recordIds.next(),
      environment: 'sandbox',
      accountId,
      name: 'reports',
      permissions,
      expiresAt: null,
      secret: null,
    },
  );
}

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/);
const empty = {
  collection: { total_collected: 0, total_gross_fee: 0, total_net_amount: 0 },
  chargeback: { total_chargeback: 0 },
  refund: { total_refunded: 0 },
  settlement: {
    total_credits: 0,
    credit_amount: 0,
    total_debits: 0,
    debit_amount: 0,
    settlement_amount: 0,
  },
  retentions: { total_amount: 0 },
};

describe('a day without movements', () => {
  test.each(reportNames)(
    'returns %s with totals of 0 and no items, today and long ago',
    async (name) => {
      for (const [date, iso] of [
        [dayIn(service, 0), isoDay(0)],
        ['01-02-2003', '2003-02-01'],
      ] as const) {
        const { status, headers, body } = await read(name, date);
        expect(status).toBe(200);
        expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(headers.get('content-disposition')).toBeNull();
        expect(body).toEqual({
          account_id: testAccount,
          report_date: `${iso}T00:00:00-03:00`,
          data: [],
          ...empty[name],
        });
      }
    },
  );
});

/** Returns the result that paid a request. */
const paymentOf = async (id: number): Promise<number> =>
  (await player.get(id)).request_result[0].id;

describe('the day of a movement', () => {
  test('shows a movement in every report that it belongs to, with the contract’s figures', async () => {
    const whole = await player.create({
      first_total: 2503.95,
      external_reference: 'F-1',
      payer_name: 'Ana "la" Pérez',
    });
    const parts = await player.create({ first_total: 1000 });
    await player.pay(whole, { channel: 'credit_card', card_number: '4507990000004905' });
    await player.pay(parts, { channel: 'wire_transfer' });

    const collection = (await today('collection')).body;
    expect(Object.keys(collection.data[0])).toEqual([
      'informed_date',
      'request_id',
      'external_reference',
      'payer_name',
      'description',
      'payment_date',
      'channel',
      'amount_paid',
      'net_fee',
      'iva_fee',
      'net_amount',
      'available_at',
    ]);
    // 5 % of 2503.95 is 125.20, VAT 26.29; 0.8 % of 1000.00 is 8.00, VAT 1.68.
    expect(collection).toEqual({
      account_id: testAccount,
      report_date: `${isoDay(0)}T00:00:00-03:00`,
      total_collected: 3503.95,
      total_gross_fee: 161.17,
      total_net_amount: 3342.78,
      data: [
        {
          informed_date: moment,
          request_id: whole,
          external_reference: 'F-1',
          payer_name: 'Ana "la" Pérez',
          description: 'Cuota de diciembre',
          payment_date: moment,
          channel: expect.any(String),
          amount_paid: 2503.95,
          net_fee: 125.2,
          iva_fee: 26.29,
          net_amount: 2352.46,
          available_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00-03:00$/),
        },
        expect.objectContaining({ request_id: parts, amount_paid: 1000, net_amount: 990.32 }),
      ],
    });
    expect(collection.data[1]).not.toHaveProperty('external_reference');

    // A transfer is available the same day: 1000.00 - 9.68 fee - 25.00 withheld = 965.32.
    await player.move({ minutes: 0 });
    await player.refund(parts, { amount: 400 });
    await player.chargeback(whole);
    expect((await today('refund')).body).toMatchObject({
      total_refunded: 400,
      data: [
        {
          request_id: parts,
          channel: 'Transferencia',
          refunded_amount: 400,
          reversed_result_id: await paymentOf(parts),
        },
      ],
    });
    expect((await today('chargeback')).body).toMatchObject({
      total_chargeback: 2503.95,
      data: [
        {
          request_id: whole,
          external_reference: 'F-1',
          reverted_amount: 2503.95,
          reversed_result_id: await paymentOf(whole),
        },
      ],
    });
    // 2.5 % of 2503.95 is 62.60, which is returned in full; of 25.00, 40 % is returned.
    expect((await today('retentions')).body).toMatchObject({
      total_amount: 15,
      data: [
        {
          created_at: moment,
          request_id: whole,
          external_reference: 'F-1',
          regime: 'SIRTAC',
          jurisdiction: 'Santa Fe',
          base: 2503.95,
          rate: 2.5,
          amount: 62.6,
        },
        { request_id: parts, base: 1000, amount: 25 },
        { request_id: parts, base: -400, rate: 2.5, amount: -10 },
        { request_id: whole, base: -2503.95, rate: 2.5, amount: -62.6 },
      ],
    });
    // The unavailable money covers the chargeback first; the account bears the fee of 151.49.
    expect((await today('settlement')).body).toMatchObject({
      total_credits: 1,
      credit_amount: 965.32,
      total_debits: 2,
      debit_amount: 541.49,
      settlement_amount: 423.83,
      data: [
        { request_id: parts, credit: 965.32, debit: 0 },
        { request_id: parts, credit: 0, debit: 390 },
        { request_id: whole, external_reference: 'F-1', credit: 0, debit: 151.49 },
      ],
    });
    expect(await player.balances()).toEqual([423.83, 0]);
  });

  test('assigns a movement to the day the service learned of it, for good', async () => {
    const before = await Promise.all(reportNames.map(async (name) => (await today(name)).body));
    await player.move({ days: 3 });
    const after = await Promise.all(
      reportNames.map(async (name) => (await read(name, dayIn(service, -3))).body),
    );
    expect(after).toEqual(before);
    for (const name of reportNames) {
      expect((await today(name)).body).toMatchObject({ data: [], ...empty[name] });
    }
  });

  test('answers in the documented format', async () => {
    for (const name of reportNames) {
      const { body } = await read(name, dayIn(service, -3));
      expect(body.data.length).toBeGreaterThan(0);
      expect([...Compile(reportAnswers[name]).Errors(body)]).toEqual([]);
    }
  });

  test('accepts dd-mm-yyyy and yyyy-mm-dd, with or without a trailing slash', async () => {
    const { text } = await read('collection', dayIn(service, -3));
    expect((await read('collection', isoDay(-3))).text).toBe(text);
    expect((await read('collection', `${isoDay(-3)}/`)).text).toBe(text);
  });
});

describe('rights to read', () => {
  test('limits reports to the key’s account', async () => {
    await service.sql`
      insert into accounts (id, name, cuit, city, created_at)
      select '0000BEEF', 'Otro club', cuit, city, created_at from accounts`;
    const key = await keyOf('0000BEEF', ['read']);
    for (const name of reportNames) {
      const { status, body } = await read(name, dayIn(service, -3), {
        authorization: `Bearer ${key}`,
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({ account_id: '0000BEEF', data: [], ...empty[name] });
    }
  });

  test('requires a key with the right to read', async () => {
    const headers = { authorization: `Bearer ${await keyOf(testAccount, ['write', 'sandbox'])}` };
    for (const name of reportNames) expectError(await read(name, '01-02-2003', headers), 403);
  });

  test('requires a key', async () => {
    for (const name of reportNames) {
      const answer = await service.call('GET', `/report/${name}/01-02-2003`, { key: null });
      expectError(answer, 401);
    }
  });
});

describe('refusals', () => {
  const malformed = [
    '31-02-2026',
    '001-1-2026',
    '2026-13-01',
    '20260101',
    'hoy',
    '01-01-0000',
    '%20',
    "'; drop table results --",
    '%00',
  ];
  test.each(malformed)('reports the invalid date %s at its field', async (date) => {
    for (const name of reportNames) {
      const answer = await read(name, encodeURI(date));
      expectError(answer, 400);
      expect(Object.keys(answer.body.children)).toEqual(['date']);
    }
  });

  test('refuses a future date, and names the last available day', async () => {
    for (const date of [dayIn(service, 1), isoDay(1), '31-12-9999']) {
      const answer = await read('collection', date);
      expectError(answer, 400);
      const [sentence] = answer.body.children.date.errors;
      expect(sentence).toContain(dayIn(service, 0));
    }
  });

  test('refuses an unknown report, and another method', async () => {
    expectError(await read('profits', '01-02-2003'), 404);
    expectError(await read('collection', ''), 404);
    expectError(await service.call('POST', '/report/collection/01-02-2003', { body: {} }), 405);
  });
});

test('debits in the settlement a payment that does not cover its fee', async () => {
  await player.move({ days: 10 });
  await giveTerms(service, {
    channel: 'wire_transfer',
    from: '2020-01-01',
    percentagePpm: 0,
    fixed: 1_000,
    minimum: 0,
    days: 0,
  });
  const id = await player.create({ first_total: 2 });
  await player.pay(id, { channel: 'wire_transfer' });
  await player.move({ minutes: 0 });
  // Fee 10.00, VAT 2.10, and 2.5 % withheld of the 2.00 paid.
  expect((await today('settlement')).body).toMatchObject({
    total_credits: 0,
    credit_amount: 0,
    total_debits: 1,
    debit_amount: 10.15,
    settlement_amount: -10.15,
    data: [{ request_id: id, credit: 0, debit: 10.15 }],
  });
  expect(await player.faults()).toEqual([]);
});
