export { createGuard } from './delivery/address.ts';
export { happened } from './delivery/body.ts';
export { type Reach, resolverFor } from './delivery/resolve.ts';
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
export type { SentEvent, SentEventDetail, Waiting } from './feed/sent.ts';
export type { Webhooks, WebhookTerms } from './open.ts';
export {
  eventResending,
  webhookCreating,
  webhookEditing,
  webhookPausing,
  webhookRemoving,
  webhookResuming,
  webhookRotating,
  webhookTesting,
} from './operations.ts';
export { typeNames, type WebhookInput } from './registration.ts';
export { type AttemptRow, countWebhooks, type DeliveryRow } from './store.ts';
export { type Edit, editWebhook, webhookFormValues } from './subscriptions/edit.ts';
export { replaceSecrets, secretsLiveUntil } from './subscriptions/key.ts';
export { rotateSecret, secretFormValues } from './subscriptions/rotate.ts';
export { createSecrets, signatureHeaders, signingKey } from './subscriptions/secret.ts';
export type { TestResult } from './subscriptions/test.ts';
export { type WebhookVerbs, webhookVerbs } from './verbs.ts';
