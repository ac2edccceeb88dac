/** The door for who speaks HTTP: routes, shapes of answers, documents. Commands load none of it. */

export { resultsAnswer, retentionAnswer } from './schema.ts';
