import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../src/accounts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());
afterEach(async () => expect(await player.faults()).toEqual([]));

const online = ['credit_card', 'debit_card', 'DEBIN', 'qr'] as const;
const offline = ['banelco_pmc', 'link_pagos', 'wire_transfer', 'non_banking'] as const;

describe('the cents decide on every online channel', () => {
  const refused = [
    { total: 10.91, comment: 'Insufficient funds.' },
    { total: 10.92, comment: 'Rejected by the issuer.' },
    { total: 10.93, comment: 'The holder ordered not to pay.' },
  ];
  const cases = online.flatMap((channel) => refused.map((one) => ({ channel, ...one })));

  test.each(cases)('refuses $total by $channel: $comment', async ({ channel, total, comment }) => {
    const id = await player.create({ first_total: total });
    const { status, body } = await player.pay(id, { channel });
    expect([status, body.state]).toEqual([200, 'pending']);
    expect(body.request_result).toHaveLength(1);
    const [result] = body.request_result;
    expect(result).toMatchObject({
      type: 'rejected_payment_request_result',
      amount: total,
      state_comment: comment,
      rejected_at: expect.any(String),
    });
    expect(result).not.toHaveProperty('net_fee');
    expect(body).not.toHaveProperty('holder_data');
    expect((await player.pay(id, { channel })).body.request_result).toHaveLength(2);
  });

  test.each(online)(
    'leaves .94 by %s unanswered for a day, blocks a second attempt, then pays',
    async (channel) => {
      const id = await player.create({ first_total: 10.94 });
      const { status, body } = await player.pay(id, { channel });
      expect([status, body.state, body.request_result]).toEqual([200, 'pending', []]);
      const second = await player.pay(id, { channel });
      expect(second.status).toBe(409);
      expect(second.body.message).toContain('being processed');
      await player.move({ hours: 23 });
      expect((await player.get(id)).state).toBe('pending');
      await player.move({ hours: 1 });
      const paid = await player.get(id);
      expect([paid.state, paid.request_result.length]).toEqual(['paid', 1]);
    },
  );

  test.each(online)('pays .95 by %s, and reverses it the next day', async (channel) => {
    const id = await player.create({ first_total: 10.95 });
    expect((await player.pay(id, { channel })).body.state).toBe('paid');
    await player.move({ hours: 23 });
    expect((await player.get(id)).state).toBe('paid');
    const { body } = await player.move({ hours: 2 });
    expect(body.happened).toContainEqual({ what: 'payments reversed by the simulator', count: 1 });
    const { state, request_result } = await player.get(id);
    expect([state, request_result.at(-1).type]).toEqual([
      'reverted',
      'chargeback_payment_request_result',
    ]);
  });

  test('reverses .95 even if it was refunded in the meantime', async () => {
    const id = await player.create({ first_total: 10.95 });
    await player.pay(id, { channel: 'qr' });
    await player.refund(id);
    await player.move({ days: 2 });
    const { state, request_result } = await player.get(id);
    expect([state, request_result.length]).toEqual(['refunded', 3]);
  });

  test.each(online)('approves any other amount by %s', async (channel) => {
    const id = await player.create({ first_total: 10.9 });
    expect((await player.pay(id, { channel })).body.state).toBe('paid');
  });

  test.each(offline)('records money by %s regardless of the cents', async (channel) => {
    const id = await player.create({ first_total: 10.92 });
    expect((await player.pay(id, { channel })).body.state).toBe('paid');
  });
});

describe('test cards', () => {
  test.each([
    ['4507990000004905', 'credit_card', 'Visa', 'paid'],
    ['5299910010000015', 'credit_card', 'Mastercard', 'paid'],
    ['5896570000000008', 'credit_card', 'Cabal', 'paid'],
    ['4517721004856075', 'debit_card', 'Visa Débito', 'paid'],
    ['373953192351004', 'credit_card', 'American Express', 'paid'],
    ['5031755734530604', 'credit_card', 'Mastercard', 'paid'],
    ['4546400044997331', 'credit_card', 'Visa', 'Rejected by the issuer.'],
    ['5455330200000016', 'credit_card', 'Mastercard', 'Rejected by the issuer.'],
    ['4258210000474094', 'credit_card', 'Visa', 'Insufficient funds.'],
    ['5204230010000012', 'credit_card', 'Mastercard', 'Insufficient funds.'],
    ['4517720194823929', 'debit_card', 'Visa Débito', 'Insufficient funds.'],
  ])(
    'decides a payment with the card %s (%s, %s): %s',
    async (card_number, channel, label, outcome) => {
      const id = await player.create();
      const { body } = await player.pay(id, { channel, card_number });
      const [result] = body.request_result;
      expect(result.channel).toBe(label);
      expect(body.state === 'paid' ? 'paid' : result.state_comment).toBe(outcome);
      expect(result.payment_metadata.card_last_four_digits).toBe(card_number.slice(-4));
      expect(JSON.stringify(body)).not.toContain(card_number);
    },
  );

  test('rejects an invalid card number, or a plan that the brand lacks, at its field', async () => {
    const id = await player.create();
    const card = await player.pay(id, { channel: 'credit_card', card_number: '4507990000004906' });
    expect(card.status).toBe(400);
    expect(card.body.children.card_number.errors).toHaveLength(1);
    const plan = await player.pay(id, { channel: 'credit_card', installments: 7 });
    expect(plan.status).toBe(400);
    expect(plan.body.children.installments.errors[0]).toContain('7');
    expect((await player.get(id)).request_result).toEqual([]);
  });

  test('does not store the card number', async () => {
    const tables = await service.sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public'`;
    for (const { name } of tables) {
      const rows = await service.sql`
        select 1 from ${service.sql(name)} as t
        where t::text ~ '4507990000004905|4546400044997331|4517721004856075'`;
      expect([name, rows.length]).toEqual([name, 0]);
    }
  });
});

describe('an online channel refuses', () => {
  test.each(online)('refuses to pay a paid or expired request by %s', async (channel) => {
    const paid = await player.create();
    await player.pay(paid);
    const expired = await player.create({ first_due_date: dayIn(service, 1) });
    await player.move({ days: 2 });
    for (const [id, state] of [
      [paid, 'paid'],
      [expired, 'expired'],
    ] as const) {
      const { status, body } = await player.pay(id, { channel });
      expect(status).toBe(409);
      expect(body.message).toContain(state);
    }
  });

  test('refuses channels, brands and installments that the request excludes', async () => {
    const id = await player.create({
      excluded_channels: ['DEBIN', 'qr', 'debit_card'],
      excluded_card_brands: ['41'],
      excluded_installments: [3],
    });
    const refused = [
      { channel: 'DEBIN' },
      { channel: 'qr' },
      { channel: 'debit_card' },
      { channel: 'credit_card', card_number: '5299910010000015' },
      { channel: 'credit_card', installments: 3 },
    ];
    for (const body of refused) expect((await player.pay(id, body)).status).toBe(409);
    expect((await player.get(id)).request_result).toEqual([]);
    expect((await player.pay(id, { channel: 'credit_card', installments: 6 })).status).toBe(200);
  });

  test('refuses an amount other than the one due', async () => {
    const id = await player.create({ first_total: 10 });
    expect((await player.pay(id, { channel: 'qr', amount: 9.99 })).status).toBe(400);
    expect((await player.pay(id, { channel: 'qr', amount: 10 })).body.state).toBe('paid');
  });
});

describe('the calls of the sandbox', () => {
  test('answers 404 for an unknown request', async () => {
    for (const act of [player.pay, player.refund, player.chargeback]) {
      expect((await act(999_999_999)).status).toBe(404);
    }
  });

  test('reports every wrong field', async () => {
    const id = await player.create();
    const { status, body } = await player.pay(id, { channel: 'cheque', amount: -1 });
    expect(status).toBe(400);
    expect(Object.keys(body.children)).toEqual([
      'channel',
      'amount',
      'installments',
      'card_number',
      'cbu_number',
    ]);
    expect(body.children.channel.errors).toHaveLength(1);
    expect(body.children.amount.errors).toHaveLength(1);
  });

  test('requires the permission `sandbox`', async () => {
    const { base } = service.service.parts;
    const key = await createKey(
      { ...base, actor: testOperator },
      {
        id: await base.recordIds.next(),
        environment: 'sandbox',
        accountId: testAccount,
        name: 'without',
        permissions: ['read', 'write'],
        expiresAt: null,
        secret: null,
      },
    );
    const id = await player.create();
    for (const [method, path] of [
      ['POST', `/sandbox/pay/${id}`],
      ['POST', `/sandbox/refund/${id}`],
      ['POST', `/sandbox/chargeback/${id}`],
      ['POST', '/sandbox/clock'],
      ['GET', '/sandbox/clock'],
    ] as const) {
      const answer = await service.call(method, path, {
        key,
        ...(method === 'POST' && { body: {} }),
      });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.body.message).toContain('sandbox');
    }
  });
});
