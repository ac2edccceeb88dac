import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCalendar } from '../../../src/calendar/index.ts';
import { centavos } from '../../../src/kernel/money.ts';
import { availableOn } from '../../../src/money/collections/record.ts';
import { standardTerms } from '../../../src/money/fees/fees.ts';
import { withholdingsOn } from '../../../src/money/withholdings/withholdings.ts';
import { forgetRates, giveTerms, knowRates } from '../../harness/builders/terms.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

const day = (text: string) => Temporal.PlainDate.from(text);

describe('the day when a collection becomes available', () => {
  const calendar = createCalendar([]);

  test.each([
    [
      'credit_card',
      '2026-03-20',
      '2026-04-09',
      'ten business days, over 23 and 24 March and Easter',
    ],
    ['debit_card', '2026-07-08', '2026-07-14', 'two business days, over 9 and 10 July'],
    ['banelco_pmc', '2026-11-05', '2026-11-09', 'one business day, over the bank workers’ day'],
    ['non_banking', '2026-12-04', '2026-12-14', 'four business days, over 7 and 8 December'],
    ['qr', '2026-11-22', '2026-11-22', 'the same day, although it is a Sunday'],
    ['DEBIN', '2026-12-25', '2026-12-25', 'the same day, although it is Christmas'],
    ['wire_transfer', '2026-11-21', '2026-11-21', 'the same day, although it is a Saturday'],
  ] as const)(
    'makes a payment by %s on %s available on %s: %s',
    (channel, paid, expected, _why) => {
      const paidOn = day(paid);
      const available = availableOn(calendar, { paidOn, today: paidOn }, standardTerms[channel]);
      expect(available.toString()).toBe(expected);
    },
  );

  test('makes money available no earlier than the service learned of the payment', () => {
    const days = { paidOn: day('2026-03-02'), today: day('2026-03-20') };
    expect(availableOn(calendar, days, standardTerms.banelco_pmc)).toEqual(day('2026-03-20'));
  });
});

describe('withholdings', () => {
  const rate = (ratePpm: number, from: string, to: string | null) => ({
    regime: 'SIRTAC',
    jurisdiction: `${ratePpm}`,
    ratePpm,
    validFrom: day(from),
    validTo: to === null ? null : day(to),
  });
  const rates = [
    rate(10_000, '2026-01-01', '2026-01-31'),
    rate(20_000, '2026-02-01', null),
    rate(30_000, '2026-01-15', '2026-02-15'),
    rate(1, '2026-01-01', null),
  ];

  test.each([
    ['2025-12-31', []],
    ['2026-01-01', [10_000]],
    ['2026-01-31', [10_000, 30_000]],
    ['2026-02-01', [20_000, 30_000]],
    ['2026-02-16', [20_000]],
  ])(
    'computes withholdings on %s at the day’s rates, each on the whole amount, without zeros',
    (on, expected) => {
      const lines = withholdingsOn(centavos(100_000), rates, day(on));
      expect(lines.map((line) => line.ratePpm)).toEqual(expected);
      for (const { base, ratePpm, amount } of lines) {
        expect([base, amount]).toEqual([100_000, ratePpm / 10]);
      }
    },
  );
});

describe('a payment of a request', () => {
  let service: TestService;
  let player: Player;
  beforeAll(async () => {
    service = await startService(withoutWorker);
    player = playerOf(service);
  });
  afterAll(() => service.stop());
  afterEach(async () => expect(await player.faults()).toEqual([]));

  test('shows a card payment’s fee, VAT, net amount and channel data', async () => {
    const id = await player.create({ first_total: 2503.95, payer_email: 'ana@example.com' });
    const { status, body } = await player.pay(id, { channel: 'credit_card', installments: 3 });
    expect(status).toBe(200);
    expect(body.state).toBe('paid');
    expect(body.request_result).toHaveLength(1);
    expect(body.request_result[0]).toMatchObject({
      type: 'collected_payment_request_result',
      channel: 'Visa',
      amount: 2503.95,
      net_fee: 125.2,
      fee_iva: 26.29,
      gross_fee: 151.49,
      net_amount: 2352.46,
      is_available: false,
      payment_metadata: {
        holder_name: 'Ana Pérez',
        holder_email: 'ana@example.com',
        authorization_code: expect.stringMatching(/^\d{6}$/),
        card_brand: 'Visa',
        card_last_four_digits: '4905',
        amount: 2785.64,
        installments: 3,
        installment_amount: 928.55,
      },
    });
    expect(body.holder_data).toEqual({
      holder_name: 'Ana Pérez',
      holder_email: 'ana@example.com',
    });
  });

  test('withholds nothing without a register, and shows retentions only on request, after a payment', async () => {
    const id = await player.create();
    expect(await player.get(id, '?detail_retentions=true')).not.toHaveProperty('retentions');
    await player.pay(id);
    expect((await player.get(id, '?detail_retentions=true')).retentions).toEqual([]);
    expect(await player.get(id)).not.toHaveProperty('retentions');
  });

  test('withholds for each line of the CUIT’s register', async () => {
    await service.sql`
      insert into withholding_rates (cuit, regime, jurisdiction, valid_from, valid_to, rate_ppm)
      select cuit, regime, jurisdiction, '2020-01-01', valid_to::date, ppm from accounts,
        (values ('SIRTAC', 'Córdoba', null, 25000), ('SIRTAC', 'Mendoza', null, 3333),
          ('IVA', 'Nacional', '2024-08-31', 10000)) as rate (regime, jurisdiction, valid_to, ppm)
      where id = ${testAccount}`;
    await knowRates(service);
    const [, before] = await player.balances();
    const id = await player.create({ first_total: 1000.01 });
    await player.pay(id, { channel: 'DEBIN' });
    const paid = await player.get(id, '?detail_retentions=true');
    const [result] = paid.request_result;
    expect(paid.retentions).toEqual([
      {
        regime: 'SIRTAC',
        jurisdiction: 'Córdoba',
        base: 1000.01,
        rate: 2.5,
        amount: 25,
        certificate: `${testAccount}-${result.id}-1`,
      },
      {
        regime: 'SIRTAC',
        jurisdiction: 'Mendoza',
        base: 1000.01,
        rate: 0.3333,
        amount: 3.33,
        certificate: `${testAccount}-${result.id}-2`,
      },
    ]);
    expect(result).toMatchObject({ net_fee: 8, fee_iva: 1.68, net_amount: 990.33 });
    const [, after] = await player.balances();
    expect(after - before).toBeCloseTo(990.33 - 28.33, 2);
    await forgetRates(service);
  });

  test('uses the account’s own fee from its first day on', async () => {
    const today = service.service.parts.clocks.business.today();
    const own = { channel: 'link_pagos', days: 0 } as const;
    const other = { percentagePpm: 990_000, fixed: 0, minimum: 0 };
    await giveTerms(service, {
      ...own,
      from: today,
      percentagePpm: 10_000,
      fixed: 500,
      minimum: 2_000,
    });
    await giveTerms(service, { ...own, from: today.add({ days: 1 }), ...other });
    const small = await player.create({ first_total: 100 });
    const large = await player.create({ first_total: 5000 });
    const fees = [];
    for (const id of [small, large]) {
      const { body } = await player.pay(id, { channel: 'link_pagos' });
      fees.push(body.request_result[0].net_fee);
    }
    expect(fees).toEqual([20, 55]);
  });

  test('makes an instant payment available the same day, even on a Sunday', async () => {
    const today = service.service.parts.clocks.business.today();
    await player.move({ days: 7 - (today.dayOfWeek % 7) });
    expect(service.service.parts.clocks.business.today().dayOfWeek).toBe(7);
    const id = await player.create({ first_total: 100 });
    await player.pay(id, { channel: 'qr' });
    await player.move({ minutes: 0 });
    const [result] = (await player.get(id)).request_result;
    expect(result.is_available).toBe(true);
    expect(result.available_at.slice(0, 10)).toBe(result.paid_at.slice(0, 10));
  });

  test('records two results from two networks, and adds both to the balance', async () => {
    const [, before] = await player.balances();
    const id = await player.create({ first_total: 1000 });
    await player.pay(id, { channel: 'non_banking' });
    const { body } = await player.pay(id, { channel: 'banelco_pmc' });
    expect(body.state).toBe('paid');
    expect(body.request_result.map((one: { channel: string }) => one.channel)).toEqual([
      'Pago Fácil',
      'Pago Mis Cuentas',
    ]);
    const [, after] = await player.balances();
    expect(after - before).toBeCloseTo(1000 - 25 - 5.25 + (1000 - 15 - 3.15), 2);
  });

  test('records an amount that differs from the one due', async () => {
    const id = await player.create({ first_total: 1000 });
    const { body } = await player.pay(id, { channel: 'wire_transfer', amount: 999.99 });
    expect([body.state, body.request_result[0].amount]).toEqual(['paid', 999.99]);
  });

  test('pays a request after its expiry, when a network reports it', async () => {
    const id = await player.create();
    await player.move({ days: 11 });
    expect((await player.get(id)).state).toBe('expired');
    const { status, body } = await player.pay(id);
    expect([status, body.state]).toEqual([200, 'paid']);
    expect((await player.events(id)).map((event) => event.type)).toEqual([
      'payment_request.created',
      'payment_request.expired',
      'payment_request.paid',
    ]);
  });

  test('charges the second total after the first due date', async () => {
    const today = service.service.parts.clocks.business.today();
    const second = today.add({ days: 20 }).toString().split('-').reverse().join('-');
    const id = await player.create({ second_due_date: second, second_total: 1500.75 });
    await player.move({ days: 11 });
    const { body } = await player.pay(id, { channel: 'debit_card' });
    expect(body.request_result[0]).toMatchObject({ channel: 'Visa Débito', amount: 1500.75 });
  });
});
