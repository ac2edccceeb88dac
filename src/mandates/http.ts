/** The door for who speaks HTTP: routes, shapes of answers, documents. Commands load none of it. */

export { bankMandateAnswer, cardMandateAnswer } from './answers.ts';
export { mandateRoutes } from './routes.ts';
