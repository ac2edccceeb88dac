export type { Reason } from './store.ts';
export { createUnwanted, type Unwanted } from './unwanted.ts';
