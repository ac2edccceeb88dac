/** The entry for HTTP code: routes, answers' shapes, documents. Commands load none of it. */

export { qrRefundRoutes, refundRoutes } from './routes.ts';
export { refundForm } from './schema.ts';
