export { systemResolver } from './address.ts';
export { listWebhooks } from './list.ts';
export { openWebhooks, type WebhookTerms } from './open.ts';
export { payloads, webhookDocument } from './payloads.ts';
export { presentWebhook } from './present.ts';
export { webhookRoutes } from './routes.ts';
export { signatureHeaders, signingKey } from './secret.ts';
export { webhookVerbs } from './verbs.ts';
