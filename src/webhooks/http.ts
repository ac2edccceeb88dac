export { webhookDocument } from './feed/document.ts';
export { payloads } from './feed/payloads.ts';
export { createWebhookVerbs } from './open.ts';
export { webhookRoutes } from './routes.ts';
