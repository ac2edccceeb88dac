export { checkDues } from './dues.ts';
export { expirySweep } from './expire.ts';
export { listRequests, type RequestFilters } from './list.ts';
export {
  amountDue,
  collectMove,
  entityIdOf,
  lastDueOf,
  type RequestKey,
  type RequestRow,
  stateOn,
} from './row.ts';
export {
  type Move,
  type RequestKind,
  type RequestState,
  type Transition,
  transitionOf,
  transitions,
} from './states.ts';
export {
  findRequests,
  insertRequests,
  lockRequest,
  newRequests,
  readRequests,
  requestColumns,
} from './store.ts';
