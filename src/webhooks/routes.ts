import type { Endpoints } from '../platform/http/endpoint.ts';
import {
  presentDelivery,
  presentEvent,
  presentRotated,
  presentTypes,
  presentWebhook,
} from './present.ts';
import {
  deliveryListAnswer,
  feedAnswer,
  feedQuery,
  idParams,
  registeredAnswer,
  rotatedAnswer,
  rotateForm,
  typeListAnswer,
  webhookAnswer,
  webhookChangeForm,
  webhookForm,
  webhookListAnswer,
} from './schema.ts';
import type { WebhookVerbs } from './verbs.ts';

const tag = 'Events';
const noContext = () => undefined;

function registrationRoutes(endpoints: Endpoints, verbs: WebhookVerbs): void {
  const { register, list, edit, rotate } = verbs;
  endpoints.add(
    {
      id: 'listEventTypes',
      method: 'GET',
      path: '/event-type',
      permission: 'events:read',
      tag,
      summary: 'List event types',
      answer: { status: 200, schema: typeListAnswer },
    },
    async () => ({ status: 200, body: { data: presentTypes() } }),
  );
  endpoints.addCreating(
    {
      id: 'createWebhook',
      method: 'POST',
      path: '/webhook',
      permission: 'webhooks:write',
      tag,
      summary: 'Register an address for events; its secret is shown once',
      body: { wrapper: 'webhook', form: webhookForm, context: noContext },
      answer: { status: 201, schema: registeredAnswer },
    },
    ({ ctx, body, claim }) => register({ ctx, input: body, claim }),
  );
  endpoints.add(
    {
      id: 'listWebhooks',
      method: 'GET',
      path: '/webhook',
      permission: 'webhooks:read',
      tag,
      summary: 'List the registered webhooks',
      answer: { status: 200, schema: webhookListAnswer },
    },
    async ({ ctx }) => ({ status: 200, body: { data: (await list(ctx)).map(presentWebhook) } }),
  );
  endpoints.add(
    {
      id: 'updateWebhook',
      method: 'PUT',
      path: '/webhook/:id',
      permission: 'webhooks:write',
      tag,
      summary: 'Change the address or the event types of a webhook',
      description:
        'Members that you leave out keep their values, and so does the secret. Events that wait ' +
        'for delivery go to the new address.',
      params: idParams,
      body: { wrapper: 'webhook', form: webhookChangeForm, context: noContext },
      answer: { status: 200, schema: webhookAnswer },
    },
    async ({ ctx, params, body }) => ({
      status: 200,
      body: presentWebhook(await edit(ctx, { id: params.id, ...body })),
    }),
  );
  endpoints.add(
    {
      id: 'rotateWebhookSecret',
      method: 'POST',
      path: '/webhook/:id/rotate-secret',
      permission: 'webhooks:write',
      tag,
      summary: 'Give a webhook a new secret; the old one keeps signing for 24 hours',
      description:
        'Repeating the call within 24 hours returns the same secret. With `revoke_now` the old ' +
        'secret stops signing at once: use it if the secret may have leaked. Repeating that call ' +
        'within a minute returns the same secret.',
      params: idParams,
      body: { wrapper: null, form: rotateForm, context: noContext },
      answer: { status: 200, schema: rotatedAnswer },
    },
    async ({ ctx, params, body }) => {
      const revokeNow = body.revoke_now ?? false;
      return { status: 200, body: presentRotated(await rotate(ctx, { id: params.id, revokeNow })) };
    },
  );
}

function eventRoutes(endpoints: Endpoints, { events, deliveries }: WebhookVerbs): void {
  endpoints.add(
    {
      id: 'listEvents',
      method: 'GET',
      path: '/event',
      permission: 'events:read',
      tag,
      summary: 'List events in webhook order',
      description:
        'Send `next` as `after` to continue. At the end of the feed, `next` stays valid and new events follow it.',
      query: feedQuery,
      slow: true,
      answer: { status: 200, schema: feedAnswer },
    },
    async ({ ctx, query }) => {
      const { rows, next } = await events(ctx, query);
      return { status: 200, body: { data: rows.map(presentEvent), next } };
    },
  );
  endpoints.add(
    {
      id: 'listEventDeliveries',
      method: 'GET',
      path: '/event/:id/deliveries',
      permission: 'events:read',
      tag,
      summary: 'List the deliveries of an event, with each attempt',
      params: idParams,
      answer: { status: 200, schema: deliveryListAnswer },
    },
    async ({ ctx, params }) => ({
      status: 200,
      body: { data: (await deliveries(ctx, params.id)).map(presentDelivery) },
    }),
  );
}

export function webhookRoutes(endpoints: Endpoints, verbs: WebhookVerbs): void {
  registrationRoutes(endpoints, verbs);
  eventRoutes(endpoints, verbs);
}
