import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccountPlans, setAccountPlans } from '../../../src/money/plans/index.ts';
import { cardForm, create, mastercard, open, payCard, visa } from '../../checkout/payer.ts';
import { testOperator } from '../../harness/actors.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
});
afterAll(() => service.stop());

const set = (
  brand: 'visa' | 'mastercard' | 'maestro',
  installments: number[] | null,
  accountId = testAccount,
) => {
  const { base } = service.service.parts;
  const change = setAccountPlans({ ...base, actor: testOperator });
  return change({ accountId, brand, installments });
};
const plans = async (): Promise<Record<string, number[]>> => {
  const { body } = await service.call('GET', '/helper/channel-installments/1000');
  return Object.fromEntries(
    body.map((one: { name: string; installments: { installments: number }[] }) => [
      one.name,
      one.installments.map(({ installments }) => installments),
    ]),
  );
};
const pay = (id: number, body: Record<string, unknown>) =>
  service.call('POST', `/sandbox/pay/${id}`, { body: { channel: 'credit_card', ...body } });

test('applies an account’s choice of plans to the list of plans, the checkout page and payments', async () => {
  const all = await plans();
  expect(all.Visa).toEqual([1, 3, 6, 9, 12]);
  await set('visa', [3, 1, 3]);
  await set('mastercard', []);
  const left = await plans();
  expect([left.Visa, left.Mastercard, left.Cabal]).toEqual([[1, 3], undefined, all.Cabal]);
  const made = await create(service);
  const { html } = await open(service.origin, made.path);
  expect(html).toMatch(/39:3/);
  expect(html).not.toMatch(/39:6|value="41:/);
  expect((await pay(made.id, { card_number: visa, installments: 6 })).status).toBe(400);
  expect((await pay(made.id, { card_number: mastercard })).status).toBe(400);
  const form = { ...cardForm, number: mastercard, installments: '41:1' };
  expect((await payCard(service.origin, made.path, form)).status).toBe(400);
  expect((await pay(made.id, { card_number: visa, installments: 3 })).body.state).toBe('paid');
  await set('visa', null);
  await set('mastercard', null);
  expect(await plans()).toEqual(all);
});

test('refuses a change to an unknown plan, and changes nothing', async () => {
  await expect(set('visa', [2])).rejects.toThrow(
    'Visa has no plans for these installment counts: 2',
  );
  await expect(set('maestro', [1])).rejects.toThrow(
    'There are no installment plans for Maestro cards',
  );
  await expect(set('visa', [1], 'FFFFFFFF')).rejects.toMatchObject({ kind: 'not_found' });
  const kept = await readAccountPlans(service.sql, testAccount);
  expect(kept.every(({ chosen }) => !chosen)).toBe(true);
});

test('keeps the plans of each account separate', async () => {
  await set('visa', [1]);
  expect((await readAccountPlans(service.sql, 'BBBBBBBB')).every(({ chosen }) => !chosen)).toBe(
    true,
  );
  const events = await service.sql`
    select type from events where account_id = ${testAccount} and type = 'account.changed'`;
  expect(events.length).toBeGreaterThan(0);
  await set('visa', null);
});
