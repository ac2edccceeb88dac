/** The entry for HTTP code: routes, answers' shapes, documents. Commands load none of it. */

export { resultsAnswer, retentionAnswer } from './schema.ts';
