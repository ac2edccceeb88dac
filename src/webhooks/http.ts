/** Entry point for HTTP code: routes, documents, and the sender of deliveries. */

export { webhookDocument } from './feed/document.ts';
export { payloads } from './feed/payloads.ts';
export { createWebhookVerbs } from './open.ts';
export { webhookRoutes } from './routes.ts';
