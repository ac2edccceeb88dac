import { isoDateTime } from '../kernel/dates.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { accountId, flag, integer, recordId } from '../platform/http/fields.ts';
import { optional, required } from '../platform/http/form.ts';
import { listing, plainCells } from '../platform/listings.ts';
import { operation } from '../platform/operations.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { presentDelivery, presentWebhook } from './present.ts';
import { changes, registration, typeNames, type WebhookInput } from './registration.ts';
import type { AttemptRow, DeliveryRow, WebhookRow } from './store.ts';
import type { Edit } from './subscriptions/edit.ts';
import type { TestResult } from './subscriptions/test.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };
import type { WebhookVerbs } from './verbs.ts';

const texts = { en, es };

export const webhookList = listing({
  name: 'webhook.list',
  act: 'integrations.see',
  account: 'required',
  whole: true,
  texts,
  read: async (sql: Sql, { account }: { account: string }) =>
    (await import('./store.ts')).readWebhooks(sql, account),
  columns: {
    id: { kind: 'text', of: (row) => row.id },
    url: { kind: 'text', of: (row) => row.url },
    events: {
      kind: 'text',
      of: (row) => typeNames(row.event_types).join(','),
    },
    created_at: { kind: 'moment', of: (row) => row.created_at },
  },
});

interface DeliveryLine extends Omit<DeliveryRow, 'attempts'> {
  attempt: AttemptRow | null;
}

/** Returns one line per attempt, and one for a delivery without any. */
const deliveryLines = (rows: readonly DeliveryRow[]): DeliveryLine[] =>
  rows.flatMap(({ attempts, ...row }) =>
    (attempts.length > 0 ? attempts : [null]).map((attempt) => ({ ...row, attempt })),
  );

export const deliveryList = listing({
  name: 'webhook.deliveries',
  act: 'integrations.see',
  account: 'required',
  whole: true,
  takes: { event: required(recordId()) },
  command: { arguments: ['event'] },
  texts,
  async read(_: Sql, part: { account: string; event: number }, base: Base) {
    const { listDeliveries } = await import('./feed/events.ts');
    return deliveryLines(await listDeliveries(base)({ accountId: part.account }, part.event));
  },
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

const managed = { act: 'webhooks.manage', texts } as const;
const one = { account, id: required(id) };

type Created = { id: number; secret: string };

export const webhookCreating = operation({
  ...managed,
  name: 'webhook.create',
  repeat: 'claim',
  takes: { account, ...registration },
  run: (
    create: (ctx: Ctx, input: WebhookInput) => Promise<Created>,
    { account: of, ...input },
    actor,
  ) => create({ accountId: of, actor }, input),
});

export const webhookEditing = operation({
  ...managed,
  name: 'webhook.edit',
  repeat: 'natural',
  takes: { ...one, ...changes },
  run: (edit: (ctx: Ctx, change: Edit) => Promise<WebhookRow>, { account: of, ...change }, actor) =>
    edit({ accountId: of, actor }, change),
  command: {
    arguments: ['id'],
    flags: { event_types: 'events' },
    shows: ({ account: of }, row) => ({
      id: row.id,
      account: of,
      url: row.url,
      events: typeNames(row.event_types).join(','),
    }),
  },
});

/** Rotates a webhook's secret. Unless revoked, the former one also signs for a while. */
export const webhookRotating = operation({
  ...managed,
  name: 'webhook.rotate-secret',
  repeat: 'natural',
  takes: { ...one, revoke_now: optional(flag()) },
  run: (
    rotate: WebhookVerbs['rotate'],
    { account: of, id: webhook, revoke_now: revokeNow },
    actor,
  ) => rotate({ accountId: of, actor }, { id: webhook, revokeNow: revokeNow ?? false }),
  command: {
    arguments: ['id'],
    flags: { revoke_now: 'revoke-now' },
    shows: ({ id: webhook, account: of }, { secret, previousUntil }) => ({
      id: webhook,
      account: of,
      secret,
      previous_secret_expires_at: previousUntil && isoDateTime(previousUntil),
    }),
  },
});

const holding = (held: boolean) => ({
  ...managed,
  repeat: 'natural' as const,
  takes: one,
  run: async (
    base: Base,
    { account: of, id: webhook }: { account: string; id: number },
    actor: Actor,
  ) => {
    const { holdWebhook } = await import('./subscriptions/hold.ts');
    return await holdWebhook(base)({ accountId: of, actor }, { id: webhook, held });
  },
});

/** Pauses deliveries, which wait in order. */
export const webhookPausing = operation({ ...holding(true), name: 'webhook.pause' });

export const webhookResuming = operation({ ...holding(false), name: 'webhook.resume' });

type Test = (ctx: Ctx, id: number) => Promise<TestResult>;

/** Sends a test event at once, even to a paused webhook. */
export const webhookTesting = operation({
  ...managed,
  name: 'webhook.test',
  repeat: { again: 'it sends one more event that means nothing' },
  takes: one,
  run: (test: Test, { account: of, id: webhook }, actor) => test({ accountId: of, actor }, webhook),
});

export const webhookRemoving = operation({
  ...managed,
  name: 'webhook.remove',
  takes: one,
  repeat: 'natural',
  run: async (base: Base, { account: of, id: webhook }, actor) => {
    const { removeWebhook } = await import('./subscriptions/remove.ts');
    return await removeWebhook(base)({ accountId: of, actor }, webhook);
  },
  api: {
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhook/:id',
    permission: 'webhooks:write',
    tag,
    summary: 'Remove a webhook; its pending events are never sent',
    async answers() {
      const { webhookAnswer } = await import('./schema.ts');
      return { status: 200, schema: webhookAnswer, presents: presentWebhook };
    },
  },
});

export const eventResending = operation({
  ...managed,
  name: 'event.resend',
  takes: { ...one, webhook_id: optional(id) },
  repeat: 'claim',
  run: async (base: Base, { account: of, id: eventId, webhook_id: webhookId }, actor) => {
    const { resendEvent } = await import('./feed/resend.ts');
    return await resendEvent(base)({ accountId: of, actor }, { eventId, webhookId });
  },
  command: {
    arguments: ['id'],
    flags: { webhook_id: 'webhook' },
    lists: (rows) => deliveryLines(rows).map((row) => plainCells(deliveryList.columns, row)),
  },
  api: {
    id: 'resendEvent',
    method: 'POST',
    path: '/event/:id/resend',
    permission: 'webhooks:write',
    tag,
    summary: 'Send an event again',
    description:
      'Sends it to `webhook_id`, or to every webhook now registered for its type. ' +
      'Returns 409 while it is still being sent.',
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
