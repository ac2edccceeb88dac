import type { Base } from '../platform/base.ts';
import { listDeliveries, listEvents } from './events.ts';
import { listWebhooks } from './list.ts';
import { type RegisterParts, registerWebhook } from './register.ts';
import { removeWebhook } from './remove.ts';
import { resendEvent } from './resend.ts';
import { rotateSecret } from './rotate.ts';

/** What an account can do with its webhooks and events. */
export const webhookVerbs = (base: Base, parts: RegisterParts) => ({
  register: registerWebhook(base, parts),
  list: listWebhooks(base),
  remove: removeWebhook(base),
  rotate: rotateSecret(base, parts.secrets),
  events: listEvents(base),
  deliveries: listDeliveries(base),
  resend: resendEvent(base),
});

export type WebhookVerbs = ReturnType<typeof webhookVerbs>;
