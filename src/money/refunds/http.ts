/** Entry point for HTTP code, so that commands load no routes or schemas. */

export { qrRefundRoutes, refundRoutes } from './routes.ts';
export { refundForm } from './schema.ts';
