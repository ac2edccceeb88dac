import { type EventType, eventTypes, everyEvent, type FeedRow } from '../events/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { eventBody } from './delivery/body.ts';
import type { DeliveryAnswer, EventAnswer, RotatedAnswer, WebhookAnswer } from './schema.ts';
import type { AttemptRow, DeliveryRow, Rotated, WebhookRow } from './store.ts';

const presentType = ({ id, name }: EventType) => ({ id, name });

export const presentTypes = () => eventTypes.map(presentType);

export const presentWebhook = ({ id, url, event_types }: WebhookRow): WebhookAnswer => {
  const all = event_types.includes(everyEvent.id);
  const wanted = eventTypes.filter((type) => all || event_types.includes(type.id));
  return { id, url, events: wanted.map(presentType), all_events: all };
};

/** Presents the delivered body with its position in the feed. `type` is the full name. */
export const presentEvent = (row: FeedRow): EventAnswer => ({
  id: row.id,
  position: row.position,
  ...eventBody(row),
  type: row.type,
});

const presentAttempt = ({ no, at, status, error, ms }: AttemptRow) => ({
  no,
  at: isoDateTime(at),
  ...(status !== null && { status }),
  ...(error !== null && { error }),
  ms,
});

export const presentDelivery = (row: DeliveryRow): DeliveryAnswer => ({
  webhook_id: row.webhook_id,
  url: row.url,
  state: row.state,
  attempts: row.attempts.map(presentAttempt),
  ...(row.next_at !== null && { next_at: isoDateTime(row.next_at) }),
});

export const presentRotated = ({ row, secret, previousUntil }: Rotated): RotatedAnswer => ({
  ...presentWebhook(row),
  secret,
  ...(previousUntil && { previous_secret_expires_at: isoDateTime(previousUntil) }),
});
