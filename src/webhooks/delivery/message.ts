import type { Clock } from '../../platform/clocks.ts';
import {
  formerSecret,
  type Secrets,
  signatureHeaders,
  signingKey,
} from '../subscriptions/secret.ts';
import type { Guard } from './address.ts';
import type { Sender } from './attempt.ts';
import { eventBody } from './body.ts';
import { retryAt } from './schedule.ts';
import type { Attempt, Delivery, Outcome, Receiver } from './store.ts';

/** Returns the outcome of a delivery that failed without an attempt. */
export const failed = (delivery: Delivery): Outcome => ({
  delivery,
  attempt: null,
  state: 'failed',
  nextAt: null,
});

const unsent = (delivery: Delivery): Outcome => ({
  delivery,
  attempt: null,
  state: 'pending',
  nextAt: delivery.next_at,
});

const isAccepted = ({ status }: Attempt): boolean =>
  status !== null && status >= 200 && status <= 299;

function outcomeOf(delivery: Delivery, attempt: Attempt, now: Temporal.Instant): Outcome {
  if (isAccepted(attempt)) return { delivery, attempt, state: 'delivered', nextAt: null };
  const tries = delivery.tries + 1;
  const { expires_at: expiresAt } = delivery;
  const nextAt = retryAt(now, { tries, expiresAt, retryAfterMs: attempt.retryAfterMs ?? 0 });
  return { delivery, attempt, state: nextAt === null ? 'failed' : 'pending', nextAt };
}

/**
 * Returns the newest secret's key and, for a while, the former one's. Never one whose service key
 * was retired.
 */
function signingKeys(receiver: Receiver, secrets: Secrets, now: Temporal.Instant): Buffer[] {
  const { account_id: accountId, id: webhookId, secret_no: no } = receiver;
  const { only_entity: entity, only_entity_id: entityId, secret_key_no: keyNo } = receiver;
  if (entity !== null && entityId !== null) {
    const secret = secrets.onceSecretOf({ accountId, entity, entityId, keyNo });
    return secret === null ? [] : [signingKey(secret)];
  }
  return [{ no, keyNo }, formerSecret(receiver, now)]
    .map((name) => name && secrets.secretOf({ accountId, webhookId, ...name }))
    .filter((secret) => secret !== null)
    .map(signingKey);
}

const revoked = 'the secret that signs for this address was revoked';

export interface MessengerParts {
  guard: Guard;
  secrets: Secrets;
  sender: Sender;
  wall: Clock;
}

/** Attempts a receiver's signed deliveries, and returns each outcome. */
export function createMessenger(
  receiver: Receiver,
  { guard, secrets, sender, wall }: MessengerParts,
): (delivery: Delivery, isDue: boolean) => Promise<Outcome> {
  const url = URL.parse(receiver.url);
  const keys = signingKeys(receiver, secrets, wall.now());
  const unsigned = keys.length === 0 ? revoked : null;
  const fault = url === null ? 'not a valid URL' : (guard.shapeFault(url) ?? unsigned);

  return async (delivery, isDue) => {
    if (!isDue) return unsent(delivery);
    const now = wall.now();
    if (url === null || fault !== null) {
      return outcomeOf(delivery, { at: now, status: null, error: fault, ms: 0 }, now);
    }
    const body = JSON.stringify(eventBody(delivery));
    const message = {
      id: `evt_${delivery.event_id}`,
      seconds: Math.floor(now.epochMilliseconds / 1000),
      body,
    };
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'recaudo-webhooks/1',
      ...signatureHeaders(keys, message),
    };
    return outcomeOf(delivery, await sender.post(url, headers, body), wall.now());
  };
}
