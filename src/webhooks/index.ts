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
export { deliveriesOfEntity, type EntityDelivery } from './feed/of-entity.ts';
export { resendEvent } from './feed/resend.ts';
export type { SentEvent, ToldEvent, Waiting } from './feed/told.ts';
export type { Webhooks, WebhookTerms } from './open.ts';
export { deliveryLines, deliveryList, webhookList } from './operations.ts';
export { type AttemptRow, countWebhooks, type DeliveryRow } from './store.ts';
export { replaceSecrets, secretsLiveUntil } from './subscriptions/key.ts';
export { rotateSecret } from './subscriptions/rotate.ts';
export { createSecrets, signatureHeaders, signingKey } from './subscriptions/secret.ts';
export type { TestResult } from './subscriptions/test.ts';
export { type WebhookVerbs, webhookVerbs } from './verbs.ts';
