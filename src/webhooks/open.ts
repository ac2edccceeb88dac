import type { Base } from '../platform/base.ts';
import { type Loop, repeat } from '../platform/loops.ts';
import type { Metrics } from '../platform/metrics.ts';
import { createRests } from '../platform/rests.ts';
import type { Tracer } from '../platform/tracing.ts';
import type { LiveKeyRing } from '../secrets/index.ts';
import { createGuard } from './delivery/address.ts';
import { createSender } from './delivery/attempt.ts';
import { createDeliverer, type Deliverer, type DeliveryTerms } from './delivery/deliver.ts';
import { forgetDelivered } from './delivery/forget.ts';
import { notifyOnce } from './delivery/notify-once.ts';
import { type Reach, type Resolver, resolverFor } from './delivery/resolve.ts';
import { createPublisher, type Publish } from './feed/publish.ts';
import { createSecrets } from './subscriptions/secret.ts';
import { testWebhook } from './subscriptions/test.ts';

export interface WebhookTerms extends DeliveryTerms {
  production: boolean;
  reach: Reach;
  /** Retention of delivery records. */
  retentionDays: number;
}

export interface WebhookParts {
  /** The service's keys, from which secrets derive. */
  keys: LiveKeyRing;
  /** The default depends on the terms' `reach`. */
  resolve?: Resolver;
  metrics: Metrics;
  tracer?: Tracer | null;
  terms: WebhookTerms;
}

const everyMs = 50;
/** Maximum pause between polls on an idle distributed database, which delays retries. */
const longestRestMs = 10_000;
const forgetEveryMs = 60_000;

/** Builds the verbs and the background work without starting anything. */
export function createWebhookVerbs(
  base: Base,
  { keys, terms, resolve = resolverFor(terms.reach), metrics, tracer = null }: WebhookParts,
) {
  const { sql, clocks, log } = base;
  const { wall } = clocks;
  const guard = createGuard(terms.production, resolve, terms.reach);
  const secrets = createSecrets(keys);
  const publish = createPublisher(base);
  const deliverer = (): Deliverer => {
    const sender = createSender(guard, wall, terms.timeoutMs, tracer);
    return createDeliverer({ sql, wall, log, metrics, guard, secrets, sender, terms });
  };
  return {
    guard,
    secrets,
    refreshKeys: keys.refresh,
    test: testWebhook(base, { guard, secrets, terms, refreshKeys: keys.refresh }),
    publish,
    deliverer,
    notifyOnce: notifyOnce(wall),
    startWork(): Loop[] {
      const forget = () => forgetDelivered(sql, wall.now(), terms.retentionDays);
      return [
        deliveryLoop(publish, deliverer(), base),
        repeat('old deliveries', forgetEveryMs, forget, log),
      ];
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhookVerbs>;

/** Publishes and delivers. Newly published events are delivered without a pause. */
function deliveryLoop(publish: Publish, deliverer: Deliverer, base: Base): Loop {
  const { log } = base;
  let stopping = false;
  const publishAll = async (): Promise<void> => {
    try {
      while (!stopping && (await publish())) await deliverer.tick();
    } finally {
      await deliverer.tick();
    }
  };
  const publishing = repeat('webhooks', everyMs, createRests(base)(longestRestMs, publishAll), log);
  return {
    async stop() {
      stopping = true;
      await Promise.all([publishing.stop(), deliverer.stop()]);
    },
  };
}
