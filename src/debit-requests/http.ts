/** Entry point for HTTP code, so that commands load no routes or schemas. */

export { cardDebitAnswer, debitAnswer } from './answers.ts';
export { debitRequestRoutes } from './routes.ts';
