import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookError } from '../../../clients/typescript/src/index.ts';

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const other = `whsec_${Buffer.from('fedcba9876543210fedcba9876543210').toString('base64')}`;
const body = JSON.stringify({
  entity_name: 'payment_request',
  type: 'paid',
  event_type: 'payment_request.paid',
  entity_id: 12,
  created_at: '2026-11-21T09:49:28-03:00',
  payload: { id: 12, state: 'paid', amount: 1430.5, request_result_id: 4001 },
});
const now = Date.UTC(2026, 10, 26, 12);
const seconds = now / 1000;

const signatureOf = (text: string, at: number, by = secret): string =>
  `v1,${createHmac('sha256', Buffer.from(by.slice(6), 'base64'))
    .update(`evt_1.${at}.${text}`)
    .digest('base64')}`;

const headersOf = (text = body, at = seconds, by = secret) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(at),
  'webhook-signature': signatureOf(text, at, by),
});

const reasonOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const error = await promise.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WebhookError);
  return (error as WebhookError).reason;
};

test('returns the event of a signed delivery, from text and from bytes', async () => {
  for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
    const event = await verifyWebhook(headersOf(), raw, secret, { now });
    expect(event).toEqual(JSON.parse(body));
    if (event.event_type === 'payment_request.paid') expect(event.payload.amount).toBe(1430.5);
  }
});

test('accepts headers from Node and from fetch, and in capitals', async () => {
  const headers = headersOf();
  const capitals = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  for (const one of [headers, new Headers(headers), capitals]) {
    expect(await verifyWebhook(one, body, secret, { now })).toMatchObject({ entity_id: 12 });
  }
});

test('accepts signatures of the Standard Webhooks library', async () => {
  const timestamp = new Date(now);
  const signature = new Webhook(secret).sign('evt_1', timestamp, body);
  const headers = { ...headersOf(), 'webhook-signature': signature };
  expect(await verifyWebhook(headers, body, secret, { now })).toMatchObject({ entity_id: 12 });
});

test('accepts either of two signatures and secrets during a rotation', async () => {
  const both = {
    ...headersOf(),
    'webhook-signature': `${signatureOf(body, seconds, other)} ${signatureOf(body, seconds)}`,
  };
  expect(await verifyWebhook(both, body, secret, { now })).toMatchObject({ entity_id: 12 });
  const old = headersOf(body, seconds, other);
  expect(await verifyWebhook(old, body, [secret, other], { now })).toMatchObject({ entity_id: 12 });
});

test('refuses a signature for another body, secret or id, and other kinds of signature', async () => {
  const headers = headersOf();
  const refuses = async (from: object, text = body, by = secret) =>
    expect(await reasonOf(verifyWebhook({ ...headers, ...from }, text, by, { now }))).toBe(
      'signature_wrong',
    );
  await refuses({}, `${body} `);
  await refuses({}, body, other);
  await refuses({ 'webhook-id': 'evt_2' });
  await refuses({ 'webhook-signature': 'v1,AAAA' });
  await refuses({ 'webhook-signature': 'v1,%%%' });
  await refuses({ 'webhook-signature': headers['webhook-signature'].replace('v1', 'v1a') });
});

test('refuses deliveries outside its tolerance as too old or too new', async () => {
  const at = (age: number, tolerance?: number) =>
    verifyWebhook(headersOf(body, seconds - age), body, secret, {
      now,
      ...(tolerance !== undefined && { tolerance }),
    });
  expect(await at(300)).toMatchObject({ entity_id: 12 });
  expect(await at(-300)).toMatchObject({ entity_id: 12 });
  expect(await reasonOf(at(301))).toBe('too_old');
  expect(await reasonOf(at(-301))).toBe('too_new');
  expect(await at(3_000, 3_600)).toMatchObject({ entity_id: 12 });
});

test('reports each missing or malformed header, body or secret', async () => {
  const { 'webhook-signature': _signature, ...unsigned } = headersOf();
  expect(await reasonOf(verifyWebhook(unsigned, body, secret))).toBe('header_missing');
  const undated = { ...headersOf(), 'webhook-timestamp': 'yesterday' };
  expect(await reasonOf(verifyWebhook(undated, body, secret))).toBe('timestamp_malformed');
  const parsed = JSON.parse(body) as string;
  expect(await reasonOf(verifyWebhook(headersOf(), parsed, secret))).toBe('body_not_raw');
  const malformed = verifyWebhook(headersOf(), body, 'whsec_%%SECRET', { now });
  expect(await reasonOf(malformed)).toBe('secret_malformed');
  await expect(malformed).rejects.not.toThrow(/SECRET/);
  const text = 'not JSON';
  const signed = verifyWebhook(headersOf(text), text, secret, { now });
  expect(await reasonOf(signed)).toBe('body_not_json');
});
