import { type Static, Type } from 'typebox';
import { day, flag, integer, oneOf, text } from '../platform/http/fields.ts';
import { type Field, type Filled, fail, form, optional, required } from '../platform/http/form.ts';
import { dateTime } from '../platform/http/shapes.ts';
import { fault } from './codes.ts';
import { changes, eventType, names, registration } from './registration.ts';

const largestId = Number.MAX_SAFE_INTEGER;
const notPosition = fault('event.position_invalid', { most: largestId });

/** The feed's cursor: a position, or the current end. */
const feedPosition: Field<number | 'latest'> = {
  schema: {
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', enum: ['latest'] },
    ],
    description:
      '`next` of the previous answer; `latest` returns no events, only the current end of the feed',
  },
  expectation: notPosition,
  parse(value) {
    if (value === 'latest') return { ok: true, value };
    const parsed = integer({ min: 0, max: largestId, digits: true }).parse(value);
    return parsed.ok ? parsed : fail(notPosition);
  },
};

const id = integer({ min: 1, max: largestId, digits: true });
export const idParams = form({ id: required(id) });

/** The body of POST /webhook. */
export const webhookForm = form(registration);

/** The body of PUT /webhook/{id}. */
export const webhookChangeForm = form(changes);

const entities = [...new Set(names.map((name) => name.slice(0, name.indexOf('.'))))];

const feedMembers = {
  after: optional(feedPosition),
  limit: optional(integer({ min: 1, max: 100, digits: true })),
  type: optional(eventType),
  entity_name: optional(oneOf(entities)),
  entity_id: optional(text({ max: 100 })),
  created_at_gte: optional(day()),
  created_at_lte: optional(day()),
};
/** The query of GET /event. Days are inclusive. */
export const feedQuery = form(feedMembers);
export type FeedQuery = Filled<typeof feedMembers>;

/** The body of POST /webhook/{id}/rotate-secret. */
export const rotateForm = form({ revoke_now: optional(flag()) });

const typeAnswer = Type.Object({ id: Type.Integer(), name: Type.String() }, { title: 'EventType' });

const webhook = {
  id: Type.Integer(),
  url: Type.String(),
  events: Type.Array(typeAnswer),
  all_events: Type.Boolean({
    description: 'True if it was registered with `*`: types that are added later are sent too',
  }),
};
const secret = Type.String({ description: 'Secret that signs deliveries (Standard Webhooks)' });

export const typeListAnswer = Type.Object(
  { data: Type.Array(typeAnswer) },
  { title: 'EventTypeList' },
);
export const webhookAnswer = Type.Object(webhook, { title: 'Webhook' });
export const webhookListAnswer = Type.Object(
  { data: Type.Array(webhookAnswer) },
  { title: 'WebhookList' },
);
export const registeredAnswer = Type.Object({ ...webhook, secret }, { title: 'CreatedWebhook' });
export const rotatedAnswer = Type.Object(
  { ...webhook, secret, previous_secret_expires_at: Type.Optional(dateTime) },
  { title: 'RotatedWebhook' },
);

const eventAnswer = Type.Object(
  {
    id: Type.Integer(),
    position: Type.Integer({ description: 'Position in the feed; always increases' }),
    entity_name: Type.String(),
    type: Type.String({ description: 'Full name, as in `event_type`' }),
    event_type: Type.String(),
    entity_id: Type.Union([Type.Integer(), Type.String()]),
    created_at: dateTime,
    payload: Type.Record(Type.String(), Type.Unknown(), {
      description: 'By event type: the `webhooks` section of the OpenAPI document',
    }),
  },
  { title: 'Event' },
);
export const feedAnswer = Type.Object(
  {
    data: Type.Array(eventAnswer),
    next: Type.Integer({ description: 'Value of `after` for the next page' }),
  },
  { title: 'EventList' },
);

const attemptAnswer = Type.Object(
  {
    no: Type.Integer(),
    at: dateTime,
    status: Type.Optional(Type.Integer({ description: 'HTTP status of the answer, if one came' })),
    error: Type.Optional(Type.String()),
    ms: Type.Integer({ description: 'Duration of the attempt in milliseconds' }),
  },
  { title: 'DeliveryAttempt' },
);
const deliveryAnswer = Type.Object(
  {
    webhook_id: Type.Integer(),
    url: Type.String(),
    state: Type.String({ enum: ['pending', 'delivered', 'failed'] }),
    attempts: Type.Array(attemptAnswer),
    next_at: Type.Optional(dateTime),
  },
  { title: 'Delivery' },
);
export const deliveryListAnswer = Type.Object(
  { data: Type.Array(deliveryAnswer) },
  { title: 'DeliveryList' },
);

export type RotatedAnswer = Static<typeof rotatedAnswer>;
export type WebhookAnswer = Static<typeof webhookAnswer>;
export type EventAnswer = Static<typeof eventAnswer>;
export type DeliveryAnswer = Static<typeof deliveryAnswer>;
