import type { Base } from '../platform/base.ts';
import { accountId, integer, recordId } from '../platform/http/fields.ts';
import { optional, required } from '../platform/http/form.ts';
import { listing } from '../platform/listings.ts';
import { operation } from '../platform/operations.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { listDeliveries } from './feed/events.ts';
import { presentDelivery, presentWebhook } from './present.ts';
import { type AttemptRow, type DeliveryRow, readWebhooks } from './store.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const texts = { en, es };

/** Webhooks of an account, oldest first. */
export const webhookList = listing({
  name: 'webhook.list',
  act: 'integrations.see',
  account: 'required',
  whole: true,
  texts,
  read: (sql: Sql, { account }: { account: string }) => readWebhooks(sql, account),
  columns: {
    id: { kind: 'text', of: (row) => row.id },
    url: { kind: 'text', of: (row) => row.url },
    events: {
      kind: 'text',
      of: (row) =>
        presentWebhook(row)
          .events.map(({ name }) => name)
          .join(','),
    },
    created_at: { kind: 'moment', of: (row) => row.created_at },
  },
});

interface DeliveryLine extends Omit<DeliveryRow, 'attempts'> {
  attempt: AttemptRow | null;
}

/** One line for each attempt, and one for a delivery that had none yet. */
export const deliveryLines = (rows: readonly DeliveryRow[]): DeliveryLine[] =>
  rows.flatMap(({ attempts, ...row }) =>
    (attempts.length > 0 ? attempts : [null]).map((attempt) => ({ ...row, attempt })),
  );

/** Deliveries of an event, with each attempt. */
export const deliveryList = listing({
  name: 'webhook.deliveries',
  act: 'integrations.see',
  account: 'required',
  whole: true,
  takes: { event: required(recordId()) },
  command: { arguments: ['event'] },
  texts,
  read: async (_: Sql, part: { account: string; event: number }, base: Base) =>
    deliveryLines(await listDeliveries(base)({ accountId: part.account }, part.event)),
  columns: {
    webhook: { kind: 'text', of: (row) => row.webhook_id },
    url: { kind: 'text', of: (row) => row.url },
    state: { kind: 'choice', of: (row) => row.state },
    next_at: { kind: 'moment', of: (row) => row.next_at },
    attempt: { kind: 'text', of: ({ attempt }) => attempt?.no ?? null },
    at: { kind: 'moment', of: ({ attempt }) => attempt?.at ?? null },
    status: { kind: 'text', of: ({ attempt }) => attempt?.status ?? null },
    error: { kind: 'text', of: ({ attempt }) => attempt?.error ?? null },
    ms: { kind: 'text', of: ({ attempt }) => attempt?.ms ?? null },
  },
});

const id = integer({ min: 1, max: Number.MAX_SAFE_INTEGER, digits: true });
const account = required(accountId());
const tag = 'Events';

/** Nothing more is sent to an address. */
export const webhookRemoving = operation({
  name: 'webhook.remove',
  act: 'webhooks.manage',
  texts,
  takes: { account, id: required(id) },
  repeat: 'natural',
  run: async (base: Base, { account: of, id: webhook }, actor) => {
    const { removeWebhook } = await import('./subscriptions/remove.ts');
    return await removeWebhook(base)({ accountId: of, actor }, webhook);
  },
  api: {
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhook/:id',
    tag,
    summary: 'Remove a webhook; what was waiting for it is never sent',
    async answers() {
      const { webhookAnswer } = await import('./schema.ts');
      return { status: 200, schema: webhookAnswer, presents: presentWebhook };
    },
  },
});

/** An event is sent again. */
export const eventResending = operation({
  name: 'event.resend',
  act: 'webhooks.manage',
  texts,
  takes: { account, id: required(id), webhook_id: optional(id) },
  repeat: 'claim',
  run: async (base: Base, { account: of, id: eventId, webhook_id: webhookId }, actor) => {
    const { resendEvent } = await import('./feed/resend.ts');
    return await resendEvent(base)({ accountId: of, actor }, { eventId, webhookId });
  },
  api: {
    id: 'resendEvent',
    method: 'POST',
    path: '/event/:id/resend',
    tag,
    summary: 'Send an event again',
    description:
      'To `webhook_id`, or without it to every webhook that is registered for its type now. ' +
      '409 where it is still being sent.',
    async answers() {
      const { deliveryListAnswer } = await import('./schema.ts');
      return {
        status: 200,
        schema: deliveryListAnswer,
        presents: (rows: DeliveryRow[]) => ({ data: rows.map(presentDelivery) }),
      };
    },
  },
});
