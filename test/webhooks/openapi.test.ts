import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventTypes } from '../../src/events/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { noteDispute } from '../../src/money/disputes/index.ts';
import { withoutReferences } from '../../tools/references.ts';
import { createCardDebit, createDebit } from '../harness/builders/debits.ts';
import { cbuEndingIn, signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount, testKey } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { register } from './account.ts';
import { bodySchema, expectFits, jsonSchema } from './bodies.ts';
import { openReceiver, type Receiver } from './receiver.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document's shape is what these tests check
type Json = any;

let service: TestService;
let receiver: Receiver;
let document: Json;
beforeAll(async () => {
  service = await startService();
  receiver = await openReceiver();
  document = withoutReferences((await service.call('GET', '/openapi.json', { key: null })).body);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

test('documents every type of event with its payload and signature headers', () => {
  expect(Object.keys(document.webhooks)).toEqual(eventTypes.map(({ name }) => name));
  for (const { name } of eventTypes) {
    const { post } = document.webhooks[name];
    expect(post.summary, name).toMatch(/^[A-Z]/);
    expect(post.security, name).toEqual([]);
    expect(Object.keys(post.responses), name).toEqual(['2XX']);
    expect(post.parameters.map((one: Json) => [one.name, one.in, one.required])).toEqual([
      ['webhook-id', 'header', true],
      ['webhook-timestamp', 'header', true],
      ['webhook-signature', 'header', true],
    ]);
    const { properties, required } = bodySchema(document, name);
    expect(required, name).toEqual(Object.keys(properties));
    const { entity_name: entity, type, event_type: whole } = properties;
    expect([entity.const, type.const, whole.const]).toEqual([...name.split('.'), name]);
    expect(properties.payload.properties.id).toEqual(properties.entity_id);
    expect(properties.payload.required, name).toContain('state');
  }
});

/** Requests a refund that will fail, because of a closed account or its cents. */
async function askRefund(path: string, refund: Record<string, unknown>): Promise<void> {
  expect((await service.call('POST', path, { body: { refund } })).status).toBe(201);
}

/** Reports a dispute like a connector. */
async function dispute(requestId: number): Promise<void> {
  const { base, clocks } = service.service.parts;
  await noteDispute(base)(
    {
      ...{ account_id: testAccount, request_id: requestId, attempt_id: 1, connector: 'cards' },
      ...{ name: `dispute ${requestId}`, state: 'evidence_due', revision: 1, reason: 'Unknown.' },
      ...{ amount: centavos(100), taken: centavos(0), evidence_due_at: clocks.business.now() },
    },
    { kind: 'connector', name: 'cards' },
  );
}

/**
 * Creates mandates that are signed and canceled, and debits that are paid, rejected, canceled,
 * reverted and refunded.
 */
async function provokeDebits(player: ReturnType<typeof playerOf>): Promise<void> {
  const { call } = service;
  const kinds = [
    { mandate: signedAdhesion, debit: createDebit, path: 'adhesion', total: 'first_total' },
    { mandate: signedCardAdhesion, debit: createCardDebit, path: 'card-adhesion', total: 'amount' },
  ] as const;
  const paid: number[] = [];
  for (const { mandate, debit, path, total } of kinds) {
    const id = await mandate(service);
    const made = await debit(service, id, { [total]: 100 });
    paid.push(made.body.id);
    await debit(service, id, { [total]: 100.91 });
    await debit(service, id, { [total]: 100.95 });
    const ending = await mandate(service);
    await debit(service, ending, { [total]: 100 });
    await call('PUT', `/${path}/${ending}/cancel`);
  }
  await player.move({ days: 90 });
  for (const [index, id] of paid.entries()) {
    const path = index === 0 ? 'debit-request' : 'card-debit-request';
    await askRefund(`/${path}/${id}/refund`, { amount: 1, cbu: cbuEndingIn('9902') });
    await call('POST', `/sandbox/refund/${id}`);
    if (index === 1) await dispute(id);
  }
}

const expectReceived = (count: number): Promise<void> =>
  vi.waitFor(() => expect(receiver.received).toHaveLength(count), {
    timeout: 15_000,
    interval: 20,
  });

/**
 * Creates QRs that are paid and refunded, deleted and expired, and batches that complete and fail.
 */
async function provokeQrs(): Promise<void> {
  const { call } = service;
  const day = service.service.parts.clocks.business.today().add({ days: 5 }).toString();
  const item = (id: string) => ({
    id,
    city: 'Rosario',
    multiple_payment: false,
    external_reference: 'order 67',
    description: 'Cuota',
    first_total: 100.5,
    first_due_date: day.split('-').reverse().join('-'),
    payer_name: 'Ana',
  });
  const items = ['paid', 'deleted', 'expired'].map(item);
  await call('POST', '/save-qr-data', { body: { total_count: items.length, data: items } });
  await call('POST', '/pay-qr/paid');
  await askRefund('/refund-qr/paid', { amount: 1.91 });
  const { request_id } = (await call('GET', '/status/paid')).body;
  await call('POST', `/sandbox/refund/${request_id}`);
  await dispute(request_id);
  await call('DELETE', '/delete-qr/deleted');
  for (const total_count of [1, 2]) {
    const { url } = (await call('GET', '/bucket-url')).body;
    const body = JSON.stringify({ total_count, data: [item(`bulk-${total_count}`)] });
    expect((await fetch(url, { method: 'PUT', body })).status).toBe(200);
  }
}

/**
 * Excludes events of cards on file, which need a connector: see
 * test/mandates/changed-cards.test.ts.
 */
const types = eventTypes.filter(({ name }) => !/^card_adhesion\.card_/.test(name));

test('delivers bodies that match the documented schema of their type', async () => {
  const wanted = types.map(({ id }) => id);
  await register(service, testKey, receiver.url, wanted);
  const player = playerOf(service);
  const expiring = await player.create();
  const lucky = await player.create({ external_reference: 'order 66', first_total: 100.91 });
  await player.pay(lucky, { channel: 'credit_card' });
  await player.pay(lucky, { channel: 'wire_transfer', amount: 100.5 });
  await player.refund(lucky, { amount: 0.5 });
  await player.refund(lucky);
  const unlucky = await player.create();
  await player.pay(unlucky);
  await player.chargeback(unlucky);
  const kept = await player.create({ first_total: 10_000 });
  await player.pay(kept, { channel: 'credit_card' });
  await askRefund(`/payment-request/${kept}/refund`, { amount: 1.91 });
  await dispute(kept);
  await provokeQrs();
  await expectReceived(18);
  await player.move({ days: 12 });
  expect((await player.get(expiring)).state).toBe('expired');

  await provokeDebits(player);
  await expectReceived(44);
  for (const { event } of receiver.received)
    expectFits(bodySchema(document, event.event_type), event);
  const delivered = new Set(receiver.received.map(({ event }) => event.event_type));
  expect(types.map(({ name }) => name).filter((name) => !delivered.has(name))).toEqual([]);
});

test('answers calls about webhooks according to the document', async () => {
  const { call } = service;
  const made = await call('POST', '/webhook', {
    body: { webhook: { url: receiver.url, event_types: [1] } },
  });
  const [first] = (await call('GET', '/event')).body.data;
  const failing = 'http://127.0.0.1:9/';
  await register(
    service,
    testKey,
    failing,
    eventTypes.map(({ id }) => id),
  );
  const hook = `/webhook/${made.body.id}`;
  const calls: [method: string, template: string, path: string][] = [
    ['GET', '/event-type', '/event-type'],
    ['GET', '/webhook', '/webhook'],
    ['POST', '/webhook/{id}/rotate-secret', `${hook}/rotate-secret`],
    ['GET', '/event', '/event?limit=2'],
    ['POST', '/event/{id}/resend', `/event/${first.id}/resend`],
    ['GET', '/event/{id}/deliveries', `/event/${first.id}/deliveries`],
    ['DELETE', '/webhook/{id}', hook],
  ];
  const schemaOf = (method: string, template: string, status: number): Json =>
    jsonSchema(document.paths[template][method.toLowerCase()].responses[String(status)]);
  expectFits(schemaOf('POST', '/webhook', 201), made.body);
  for (const [method, template, path] of calls) {
    const answer = await call(method, path);
    expect(answer.status, answer.text).toBe(200);
    expectFits(schemaOf(method, template, 200), answer.body);
  }
});
