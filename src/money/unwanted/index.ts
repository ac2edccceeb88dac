export { checkUnwanted } from './audit.ts';
export { type Reason, stampedUnwanted } from './store.ts';
export { createUnwanted, type Unwanted } from './unwanted.ts';
