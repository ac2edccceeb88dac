import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { after, test } from 'node:test';
import { Recaudo } from '@recaudo/client';
import { createShop } from '../shop.js';
import { openStore } from '../store.js';

const { RECAUDO_URL = 'http://127.0.0.1:8360', RECAUDO_KEY = '' } = process.env;
const recaudo = new Recaudo({ key: RECAUDO_KEY, baseUrl: RECAUDO_URL });

/** Opens a separate shop on a free port. */
async function openShop({ withWebhook = false } = {}) {
  const store = openStore(':memory:');
  const paid = new EventEmitter();
  let secret = `whsec_${'A'.repeat(43)}=`;
  let url = '';
  const { app, catchUp } = createShop({
    ...{ recaudo, store },
    url: () => url,
    webhookSecret: () => secret,
    onPaid: (order) => paid.emit('order', order),
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  let webhook;
  if (withWebhook) {
    webhook = await recaudo.webhooks.create({
      url: `${url}/webhooks/recaudo`,
      event_types: ['payment_request.paid'],
    });
    secret = webhook.secret;
  }
  after(async () => {
    if (webhook) await recaudo.webhooks.delete(webhook.id);
    await app.close();
    store.close();
  });
  return { store, url, paid, catchUp };
}

/** Buys, and returns the order with its payment request. */
async function buy({ url, store }) {
  const answer = await fetch(`${url}/orders`, { method: 'POST', redirect: 'manual' });
  assert.equal(answer.status, 303);
  const checkout = answer.headers.get('location');
  for await (const request of recaudo.paymentRequests.list({ state: 'pending' })) {
    if (request.checkout_url === checkout) return store.findOrder(request.external_reference);
  }
  throw new Error('The service has no request for the order.');
}

test('a webhook marks the order as paid, once', async () => {
  const shop = await openShop({ withWebhook: true });
  const order = await buy(shop);
  const notice = once(shop.paid, 'order', { signal: AbortSignal.timeout(30_000) });
  await recaudo.sandbox.pay(order.request_id, { channel: 'credit_card' });
  const [{ id }] = await notice;
  assert.equal(id, order.id);
  assert.ok(shop.store.findOrder(id).paid_at);
  assert.equal(shop.store.markPaid(id, 'again'), false);
});

test('a webhook that arrives before the response marks its order as paid', async () => {
  const shop = await openShop({ withWebhook: true });
  const id = randomUUID();
  shop.store.addOrder(id, 500_000);
  // As if the shop still waited for this response: its order has no request yet.
  const request = await recaudo.paymentRequests.create({
    description: 'Yerba mate, 1 kg',
    payer_name: 'Cliente de la tienda',
    first_total: 5_000,
    first_due_date: '31-12-2099',
    external_reference: id,
  });
  const paid = once(shop.paid, 'order', { signal: AbortSignal.timeout(30_000) });
  await recaudo.sandbox.pay(request.id, { channel: 'credit_card' });
  const [order] = await paid;
  assert.deepEqual([order.id, order.request_id], [id, null]);
  assert.ok(shop.store.findOrder(id).paid_at);
});

test('the return page asks the service, also if no webhook came', async () => {
  const shop = await openShop();
  const order = await buy(shop);
  const look = async () => (await fetch(`${shop.url}/orders/${order.id}`)).text();
  assert.match(await look(), /Todavía no/);
  await recaudo.sandbox.pay(order.request_id, { channel: 'credit_card' });
  assert.match(await look(), /Pagado/);
  assert.equal((await fetch(`${shop.url}/orders/no-such`)).status, 404);
});

test('the feed marks an order as paid whose webhook never arrived', async () => {
  const shop = await openShop();
  const order = await buy(shop);
  await recaudo.sandbox.pay(order.request_id, { channel: 'credit_card' });
  while (!shop.store.findOrder(order.id).paid_at) await shop.catchUp();
});

test('a forged webhook is refused and changes nothing', async () => {
  const shop = await openShop();
  const order = await buy(shop);
  await recaudo.sandbox.pay(order.request_id, { channel: 'credit_card' });
  const event = {
    ...{ entity_name: 'payment_request', entity_id: order.request_id },
    payload: { external_reference: order.id },
  };
  const forged = await fetch(`${shop.url}/webhooks/recaudo`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': '1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
    },
    body: JSON.stringify(event),
  });
  assert.equal(forged.status, 400);
  assert.equal(shop.store.findOrder(order.id).paid_at, null);
});
