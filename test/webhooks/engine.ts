import { createBase } from '../../src/composition/base.ts';
import { appendEvents, type EventName, eventTypes } from '../../src/events/index.ts';
import { system } from '../../src/platform/actor.ts';
import { createLog } from '../../src/platform/log.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import type { Deliverer } from '../../src/webhooks/delivery/deliver.ts';
import type { NotifyOnce } from '../../src/webhooks/delivery/notify-once.ts';
import { createWebhookVerbs, type Webhooks, type WebhookTerms } from '../../src/webhooks/open.ts';
import { createTestDatabase } from '../harness/database.ts';
import { ringOf } from '../harness/keys.ts';

export const account = 'A1B2C3D4';
const begun = Temporal.Instant.from('2026-12-01T12:00:00Z');

export interface Registration {
  accountId?: string;
  types?: EventName[];
  only?: [entity: string, entityId: string];
}

export interface DeliverySeen {
  entity_id: string;
  version: number;
  state: string;
  attempts: number;
  next_at: Temporal.Instant | null;
  leased_until: Temporal.Instant | null;
}

/** Publishes and delivers on a separate database, with a wall clock that tests move. */
export interface Engine {
  sql: Sql;
  webhooks: Webhooks;
  now(): Temporal.Instant;
  pass(duration: Temporal.DurationLike): void;
  register(url: string, registration?: Registration): Promise<number>;
  /** Subscribes an address to the events of one entity. */
  notifyOnce(webhook: Omit<NotifyOnce, 'id'>): Promise<void>;
  /** Appends an event of one entity, `qr.paid` by default. */
  emit(entityId: string, version: number, type?: EventName, accountId?: string): Promise<number>;
  publish(): Promise<void>;
  /** Publishes and delivers everything that is due now. */
  run(): Promise<void>;
  deliverer(): Deliverer;
  deliveries(webhookId: number): Promise<DeliverySeen[]>;
  attempts(eventId: number): Promise<{ no: number; status: number | null; error: string | null }[]>;
  health(webhookId: number): Promise<{
    failures: number;
    pauses: number;
    paused_until: Temporal.Instant | null;
    due_at: Temporal.Instant | null;
  }>;
  /** Returns the metrics' count of deliveries with this outcome. */
  counted(outcome: string): Promise<number>;
  close(): Promise<void>;
}

export async function openEngine(terms: Partial<WebhookTerms> = {}): Promise<Engine> {
  const database = await createTestDatabase();
  const { sql } = database;
  const { base } = await createBase(sql, createLog('silent'));
  const metrics = createMetrics();
  let passedMs = 0;
  const wall = {
    now: () => begun.add({ milliseconds: passedMs }),
    nowMs: () => begun.epochMilliseconds + passedMs,
  };
  const webhooks = createWebhookVerbs(
    { ...base, clocks: { ...base.clocks, wall } },
    {
      keys: { ...ringOf('07'.repeat(32)), refresh: async () => {} },
      resolve: () => Promise.reject(new Error('no names here')),
      metrics,
      terms: {
        ...{ production: false, reach: 'any', concurrency: 4, timeoutMs: 300, retentionDays: 30 },
        ...terms,
      },
    },
  );
  const deliverers: Deliverer[] = [];
  const open = (): Deliverer => {
    const deliverer = webhooks.deliverer();
    deliverers.push(deliverer);
    return deliverer;
  };
  const own = open();
  const publish = async (): Promise<void> => {
    while (await webhooks.publish());
  };
  return {
    sql,
    webhooks,
    now: wall.now,
    pass(duration) {
      passedMs += Temporal.Duration.from(duration).total('milliseconds');
    },
    async register(url, { accountId = account, types, only } = {}) {
      const ids = eventTypes.filter(({ name }) => types?.includes(name) ?? true);
      const [id = 0] = await base.recordIds.take(1);
      await sql`
        insert into webhooks (account_id, id, url, event_types, created_at, only_entity,
          only_entity_id)
        values (${accountId}, ${id}, ${url}, ${ids.map((type) => type.id)}::smallint[],
          ${wall.now()}, ${only?.[0] ?? null}, ${only?.[1] ?? null})`;
      return id;
    },
    notifyOnce: async (webhook) =>
      webhooks.notifyOnce(sql, { ...webhook, id: await base.recordIds.next() }),
    async emit(entityId, version, type = 'qr.paid', accountId = account) {
      const id = await base.recordIds.next();
      const [entity = ''] = type.split('.');
      const data = { state: 'paid', version, payer: 'Ñandú' };
      const draft = { accountId, entity, entityId, version, id, type, at: begun };
      await appendEvents(sql, [{ ...draft, actor: system, data }]);
      return id;
    },
    publish,
    async run() {
      await publish();
      await own.tick();
      await own.settled();
    },
    deliverer: open,
    deliveries: async (webhookId) =>
      await sql<DeliverySeen[]>`
        select entity_id, version, state, attempts, next_at, leased_until from deliveries
        where webhook_id = ${webhookId} order by position`,
    attempts: async (eventId) =>
      await sql<{ no: number; status: number | null; error: string | null }[]>`
        select no, status, error from delivery_attempts where event_id = ${eventId} order by no`,
    async health(webhookId) {
      const [row] = await sql<Awaited<ReturnType<Engine['health']>>[]>`
        select failures, pauses, paused_until, due_at from webhooks where id = ${webhookId}`;
      if (!row) throw new Error('there is no such webhook');
      return row;
    },
    async counted(outcome) {
      const { values } = await metrics.webhookDeliveries.get();
      return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
    },
    async close() {
      await Promise.all(deliverers.map((one) => one.stop()));
      await database.drop();
    },
  };
}
