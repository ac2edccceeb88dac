export { type AddressFault, type Reach, systemResolver } from './delivery/address.ts';
export { happened } from './delivery/body.ts';
export { webhookEvidence } from './evidence.ts';
export {
  countDeliveries,
  type FailingWebhook,
  failingWebhooks,
  oldestDelivery,
  readWebhookHealth,
  type WebhookHealth,
} from './failing.ts';
export { listDeliveries } from './feed/events.ts';
export { deliveriesOfEntity, type EntityDelivery } from './feed/of-entity.ts';
export { resendEvent } from './feed/resend.ts';
export type { SentEvent, ToldEvent, Waiting } from './feed/told.ts';
export type { Webhooks, WebhookTerms } from './open.ts';
export { presentWebhook } from './present.ts';
export { type AttemptRow, countWebhooks, type DeliveryRow } from './store.ts';
export { replaceSecrets, secretsLiveUntil } from './subscriptions/key.ts';
export { listWebhooks } from './subscriptions/list.ts';
export { rotateSecret } from './subscriptions/rotate.ts';
export { createSecrets, signatureHeaders, signingKey } from './subscriptions/secret.ts';
export type { TestResult } from './subscriptions/test.ts';
export { type WebhookVerbs, webhookVerbs } from './verbs.ts';
