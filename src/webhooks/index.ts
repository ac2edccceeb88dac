export { systemResolver } from './delivery/address.ts';
export { happened } from './delivery/body.ts';
export { payloads, webhookDocument } from './feed/payloads.ts';
export { openWebhooks, type WebhookTerms } from './open.ts';
export { presentWebhook } from './present.ts';
export { webhookRoutes } from './routes.ts';
export { listWebhooks } from './subscriptions/list.ts';
export { signatureHeaders, signingKey } from './subscriptions/secret.ts';
export { webhookVerbs } from './verbs.ts';
