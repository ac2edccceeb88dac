import { randomUUID } from 'node:crypto';
import { WebhookError } from '@recaudo/client';
import Fastify from 'fastify';

const product = { name: 'Yerba mate, 1 kg', cents: 500_000 };
const daysToPay = 7;
const pesos = (cents) => `$ ${(cents / 100).toFixed(2)}`;

const page = (title, body) =>
  `<!doctype html><html lang="es"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}</html>`;

/** Formats a day for the service: dd-mm-yyyy, in Argentine time. */
const dayOf = (moment) =>
  moment
    .toLocaleDateString('es-AR', {
      timeZone: 'America/Argentina/Buenos_Aires',
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
    })
    .replaceAll('/', '-');

async function lastDayToPay(recaudo) {
  // The clock of a sandbox may be ahead of ours. Production refuses the call.
  const { now } = await recaudo.sandbox.clock.get().catch((error) => {
    if (error.status !== 403) throw error;
    return { now: new Date().toISOString() };
  });
  return dayOf(new Date(Date.parse(now) + daysToPay * 86_400_000));
}

/**
 * Builds the shop. `webhookSecret()` returns the secret of its webhook. `onPaid` is called once per
 * order, when it is paid: ship here.
 */
export function createShop({ recaudo, store, url, webhookSecret, onPaid = () => {} }) {
  const app = Fastify();

  /** Reads the request from the service, which alone knows whether it is paid. */
  async function settle(order, requestId = order?.request_id) {
    if (!order || !requestId || order.paid_at) return;
    const { state, paid_at, external_reference } = await recaudo.paymentRequests.get(requestId);
    if (state !== 'paid' || external_reference !== order.id) return;
    if (store.markPaid(order.id, paid_at)) onPaid(order);
  }

  /** The event may arrive before the response with the request's id. */
  const settleEvent = ({ entity_id, payload }) =>
    settle(store.findOrder(payload.external_reference ?? ''), entity_id);

  /** Starts the checkout of an order. A repetition after a failure finds the same request. */
  async function checkoutOf(order) {
    if (order.checkout_url) return order.checkout_url;
    const request = await recaudo.paymentRequests.create(
      {
        description: product.name,
        payer_name: 'Cliente de la tienda',
        first_total: order.total_cents / 100,
        first_due_date: await lastDayToPay(recaudo),
        external_reference: order.id,
        back_url_success: `${url()}/orders/${order.id}`,
        back_url_pending: `${url()}/orders/${order.id}`,
      },
      { idempotencyKey: order.id },
    );
    store.linkOrder(order.id, request);
    return request.checkout_url;
  }

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_r, _b, done) => done(null, {}),
  );

  app.get('/', (_request, reply) =>
    reply
      .type('text/html')
      .send(
        page(
          'Tienda',
          `<p>${product.name}: ${pesos(product.cents)}</p><form method="post" action="/orders"><button>Comprar</button></form>`,
        ),
      ),
  );

  app.post('/orders', async (_request, reply) => {
    const id = randomUUID();
    store.addOrder(id, product.cents);
    return reply.redirect(await checkoutOf(store.findOrder(id)), 303);
  });

  // The return page. A payer may return without having paid, so ask the service.
  app.get('/orders/:id', async ({ params }, reply) => {
    const order = store.findOrder(params.id);
    if (!order) return reply.code(404).type('text/html').send(page('No hay tal pedido', ''));
    await settle(order);
    const { paid_at } = store.findOrder(order.id);
    const body = paid_at
      ? '<p>Pagado. ¡Gracias!</p>'
      : `<p>Todavía no nos avisaron del pago.</p><p><a href="${await checkoutOf(order)}">Pagar</a></p>`;
    return reply.type('text/html').send(page('Tu pedido', body));
  });

  app.register(async (hooks) => {
    // The signature covers the bytes as received.
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    hooks.post('/webhooks/recaudo', async (request, reply) => {
      try {
        const event = await recaudo.webhooks.verify(request.headers, request.body, webhookSecret());
        if (event.entity_name === 'payment_request') await settleEvent(event);
      } catch (error) {
        if (error instanceof WebhookError) return reply.code(400).send();
        throw error;
      }
      return reply.code(204).send();
    });
  });

  /** Reads the events since the last call, in case a webhook did not arrive. */
  async function catchUp() {
    const after = store.setting('feed') ?? 0;
    for await (const event of recaudo.events.list({ type: 'payment_request.paid', after })) {
      await settleEvent(event);
      store.keepSetting('feed', event.position);
    }
  }

  return { app, catchUp };
}
