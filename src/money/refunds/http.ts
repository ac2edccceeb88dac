/** The door for who speaks HTTP: routes, shapes of answers, documents. Commands load none of it. */

export { qrRefundRoutes, refundRoutes } from './routes.ts';
export { refundForm } from './schema.ts';
