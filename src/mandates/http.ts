/** Entry point for HTTP code, so that commands load no routes or schemas. */

export { bankMandateAnswer, cardMandateAnswer } from './answers.ts';
export { mandateRoutes } from './routes.ts';
