import type { Base } from '../platform/base.ts';
import { listDeliveries, listEvents } from './feed/events.ts';
import { resendEvent } from './feed/resend.ts';
import { findSent, listSent } from './feed/sent.ts';
import { editWebhook } from './subscriptions/edit.ts';
import { holdWebhook } from './subscriptions/hold.ts';
import { listWebhooks } from './subscriptions/list.ts';
import { type RegisterParts, registerWebhook } from './subscriptions/register.ts';
import { removeWebhook } from './subscriptions/remove.ts';
import { rotateSecret } from './subscriptions/rotate.ts';

export const webhookVerbs = (base: Base, parts: RegisterParts) => ({
  register: registerWebhook(base, parts),
  list: listWebhooks(base),
  remove: removeWebhook(base),
  edit: editWebhook(base, parts),
  rotate: rotateSecret(base, parts),
  hold: holdWebhook(base),
  events: listEvents(base),
  deliveries: listDeliveries(base),
  sentEvents: listSent(base),
  find: findSent(base),
  resend: resendEvent(base),
});

export type WebhookVerbs = ReturnType<typeof webhookVerbs>;
