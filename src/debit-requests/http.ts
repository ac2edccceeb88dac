/** The entry for HTTP code: routes, answers' shapes, documents. Commands load none of it. */

export { cardDebitAnswer, debitAnswer } from './answers.ts';
export { debitRequestRoutes } from './routes.ts';
