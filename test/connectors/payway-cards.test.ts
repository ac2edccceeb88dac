import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { paymentOrder } from '../../connectors/payway/charge.ts';
import { readPaywayConfig } from '../../connectors/payway/config.ts';
import { orderOf as chargeOrderOf } from './caller.ts';
import { type Office, openOffice, paywaySettings } from './payway.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Covers cards on file at Payway, which a refunded payment of one peso stores. */
let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.stop());

const visa = '4507990000004905';
const account = { id: 'A1B2C3D4', settings: {} };
const now = () => new Date().toISOString();
const asking = () => new URLSearchParams({ account: account.id, business_time: now() }).toString();

const orderOf = async (card: string, number = visa) => ({
  card,
  business_time: now(),
  channel: 'credit_card',
  account,
  payer: { name: 'Ana Pérez', email: 'ana@example.com' },
  token: await office.token(number),
  brand: 'visa',
  bin: number.slice(0, 6),
  last_four: number.slice(-4),
  deadline: new Date(Date.now() + 60_000).toISOString(),
});
const keep = async (card: string, number = visa) =>
  (await office.call('PUT', `/cards/${card}`, await orderOf(card, number))).body;
const charge = (attempt: string, instrument: object) =>
  office.call('PUT', `/charges/${attempt}`, {
    attempt,
    business_time: now(),
    channel: 'credit_card',
    amount: 143_050,
    currency: 'ARS',
    account,
    request: { id: '1' },
    payer: {},
    instrument,
    deadline: new Date(Date.now() + 60_000).toISOString(),
  });
const payments = async () => (await office.acquirer.get('/api/v2/payments')).results;

test('refunds the peso that stores a card, and hides it from the list', async () => {
  const kept = await keep('A1B2C3D4-M1-1');
  expect(kept).toMatchObject({ outcome: 'kept', brand: 'visa', kind: 'credit', last_four: '4905' });
  expect(kept.expires).toBe('2030-08');
  const [peso] = await payments();
  expect(peso).toMatchObject({ amount: 100, site_transaction_id: 'T1-KA1B2C3D4-M1-1' });
  expect(peso?.status).not.toBe('approved');
  const range = new URLSearchParams({
    from: new Date(Date.now() - 86_400_000).toISOString(),
    until: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const listed = await office.call('GET', `/charges?${range}`);
  expect(listed.body).toMatchObject({ charges: [] });
});

test('charges a stored card without its code, until it is forgotten', async () => {
  const kept = await keep('A1B2C3D4-M2-1');
  const { reference, brand, bin, last_four } = kept;
  const instrument = { type: 'kept_card', reference, brand, bin, last_four };
  for (const attempt of ['A1B2C3D4-21', 'A1B2C3D4-22']) {
    expect((await charge(attempt, instrument)).body).toMatchObject({
      outcome: 'approved',
      amount: 143_050,
    });
  }
  const forget = { card: 'A1B2C3D4-M2-1', business_time: now(), account, reference };
  for (let times = 0; times < 2; times += 1) {
    const { body } = await office.call('POST', '/cards/A1B2C3D4-M2-1/forget', forget);
    expect(body).toEqual({ outcome: 'forgotten' });
  }
  expect((await charge('A1B2C3D4-23', instrument)).body).toMatchObject({ outcome: 'rejected' });
});

test('takes a stored card’s brand as stored, whatever its prefix, and a token’s from the prefix', () => {
  const config = readPaywayConfig({
    ...paywaySettings({ secret: office.secret, folder: '/', acquirer: 'http://127.0.0.1:9' }),
    CONNECTOR_CHECKOUT_ORIGINS: 'http://127.0.0.1:9',
    PAYWAY_REGIONAL: 'nativa',
  });
  const methodOf = (by: object): unknown => {
    const instrument = { brand: 'visa', bin: '487017', ...by };
    const order = chargeOrderOf('A1B2C3D4-24', { instrument });
    return Object(paymentOrder(order as never, { config }, 'tok')).payment_method_id;
  };
  expect(methodOf({ type: 'kept_card', reference: 'kept', last_four: '4905' })).toBe(1);
  expect(methodOf({ type: 'token', token: 'tok' })).toBe(42);
});

test('does not store a card that its issuer refuses', async () => {
  expect(await keep('A1B2C3D4-M3-1', '4000300011112220')).toMatchObject({ outcome: 'rejected' });
});

test('annuls a peso that remained charged before a thousand later payments', async () => {
  const later = Array.from({ length: 1_100 }, (_, no) => ({ site_transaction_id: `X-${no}` }));
  const peso = { site_transaction_id: 'T1-KA1B2C3D4-M9-1', amount: 100 };
  const site = await openOffice({ before: [peso, ...later] });
  const statusOf = async (id: number) =>
    (await site.acquirer.get(`/api/v2/payments/${id}`)) as unknown as { status: string };
  try {
    await expect.poll(() => statusOf(1)).not.toMatchObject({ status: 'approved' });
    expect(await statusOf(2)).toMatchObject({ status: 'approved' });
  } finally {
    await site.stop();
  }
});

test('finds a stored card after a lost answer, and refunds its peso', async () => {
  const order = await orderOf('A1B2C3D4-M4-1', '4507990202000008');
  const { status } = await office.call('PUT', '/cards/A1B2C3D4-M4-1', order);
  expect(status).toBe(502);
  await office.restart();
  const { body } = await office.call('GET', `/cards/A1B2C3D4-M4-1?${asking()}`);
  expect(body).toMatchObject({ outcome: 'kept' });
  const peso = (await payments()).find(
    (one) => (one as { site_transaction_id?: string }).site_transaction_id === 'T1-KA1B2C3D4-M4-1',
  );
  expect(peso?.status).not.toBe('approved');
});
