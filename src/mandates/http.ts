/** The entry for HTTP code: routes, answers' shapes, documents. Commands load none of it. */

export { bankMandateAnswer, cardMandateAnswer } from './answers.ts';
export { mandateRoutes } from './routes.ts';
