import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardBrands } from '../../src/money/channels/index.ts';
import { paymentRequestBody, stored } from '../harness/builders/payment-requests.ts';
import { expectFaults } from '../harness/errors.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
});
afterAll(() => service.stop());

const others = [
  'debit_card',
  'banelco_pmc',
  'link_pagos',
  'DEBIN',
  'wire_transfer',
  'non_banking',
  'qr',
];
const everyBrand = Object.values(cardBrands).map(({ code }) => code);
const everyCount = [1, 3, 6, 9, 12];

const attempt = (fields: Record<string, unknown>, headers = {}) =>
  service.call('POST', '/payment-request', { body: paymentRequestBody(service, fields), headers });

test('refuses a request that leaves only credit cards and no brand', async () => {
  const before = await stored(service.sql);
  const answer = await attempt({ excluded_channels: others, excluded_card_brands: everyBrand });
  expectFaults(answer, ['excluded_card_brands']);
  const [message] = answer.body.children.excluded_card_brands.errors;
  expect(message).toContain('Credit card is the only channel left');
  expect(message).toContain(`${cardBrands.visa.code} (1, 3, 6, 9, 12)`);
  expect(await stored(service.sql)).toEqual(before);
});

test('refuses a request that leaves only credit cards and no number of installments', async () => {
  const answer = await attempt({ excluded_channels: others, excluded_installments: everyCount });
  expectFaults(answer, ['excluded_installments']);
});

test('accepts a request that leaves a single plan, or another channel', async () => {
  for (const fields of [
    { excluded_channels: others, excluded_card_brands: everyBrand.slice(1) },
    { excluded_channels: others, excluded_installments: everyCount.slice(1) },
    { excluded_channels: others.slice(1), excluded_card_brands: everyBrand },
    { excluded_card_brands: everyBrand, excluded_installments: everyCount },
  ]) {
    expect((await attempt(fields)).status, JSON.stringify(fields)).toBe(201);
  }
});

test('refuses a request that allows only cards once there are no plans, and replays earlier answers', async () => {
  const key = { 'idempotency-key': 'card-only' };
  const fields = { excluded_channels: others };
  const first = await attempt(fields, key);
  expect(first.status).toBe(201);
  await service.sql`delete from installment_plans`;
  const again = await attempt(fields, key);
  expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  const answer = await attempt(fields);
  expectFaults(answer, ['excluded_channels']);
  const [message] = answer.body.children.excluded_channels.errors;
  expect(message).toContain('has no installment plans');
});
