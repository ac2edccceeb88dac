import { appendEvents } from '../../events/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { createFairSlots } from '../../platform/slots.ts';
import { refusal } from '../codes.ts';
import type { Guard } from '../delivery/address.ts';
import { createSender } from '../delivery/attempt.ts';
import { createMessenger } from '../delivery/message.ts';
import { type Attempt, readReceiver } from '../delivery/store.ts';
import type { Secrets } from './secret.ts';

export interface TestParts {
  guard: Guard;
  secrets: Secrets;
  terms: { timeoutMs: number };
  /** Loads keys that were added or retired elsewhere. */
  refreshKeys(): Promise<void>;
}

export interface TestResult extends Pick<Attempt, 'status' | 'error' | 'ms'> {
  accepted: boolean;
}

/** Concurrent tests per process, because a receiver may never answer. */
const testTerms = { most: 8, each: 2, queued: 4, patienceMs: 5_000 };

/**
 * Sends a test event to a webhook, signed like any other, once, outside the queue and even while it
 * is paused. Returns the receiver's response. Throws 404 for an unknown webhook, 503 if too many
 * tests are running.
 */
export function testWebhook(base: Base, { guard, secrets, terms, refreshKeys }: TestParts) {
  const { sql, clocks, recordIds } = base;
  const slots = createFairSlots({ ...testTerms, refusal: () => refusal('webhook.tests_busy', {}) });

  const send = async (accountId: string, id: number, eventId: number): Promise<TestResult> => {
    const receiver = await readReceiver(sql, accountId, id);
    if (!receiver) throw refusal('webhook.not_found', {});
    const now = clocks.wall.now();
    const sender = createSender(guard, clocks.wall, terms.timeoutMs);
    try {
      const tell = createMessenger(receiver, { guard, secrets, sender, wall: clocks.wall });
      const event = { entity: 'webhook', entity_id: String(id), version: 1, type: 'webhook.test' };
      const { attempt, state } = await tell(
        {
          ...event,
          event_id: eventId,
          at: clocks.business.now(),
          data: {},
          tries: 0,
          next_at: now,
          expires_at: now,
        },
        true,
      );
      const { status = null, error = null, ms = 0 } = attempt ?? {};
      return { accepted: state === 'delivered', status, error, ms };
    } finally {
      await sender.close();
    }
  };

  return async ({ accountId, actor }: Ctx, id: number): Promise<TestResult> => {
    await refreshKeys();
    const eventId = await recordIds.next();
    const tested = await slots.run(accountId, () => send(accountId, id, eventId));
    const { status, error } = tested;
    await appendEvents(sql, [
      {
        accountId,
        entity: 'webhook_test',
        entityId: String(eventId),
        version: 1,
        id: eventId,
        type: 'webhook_test.sent',
        at: clocks.business.now(),
        actor,
        data: { webhook_id: id, status, error },
      },
    ]);
    return tested;
  };
}
