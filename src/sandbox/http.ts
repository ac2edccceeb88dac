/** The door for who speaks HTTP: routes, shapes of answers, documents. Commands load none of it. */

export { simulatedRequests } from './kinds.ts';
export { simulatedPaymentRequests } from './pay.ts';
export { simulatedDebitRequests } from './pay-debit.ts';
export { simulatedQrs } from './pay-qr.ts';
export { sandboxRefusals, sandboxRoutes } from './routes.ts';
