/** The door for who speaks HTTP: routes, shapes of answers, documents. Commands load none of it. */

export { cardDebitAnswer, debitAnswer } from './answers.ts';
export { debitRequestRoutes } from './routes.ts';
