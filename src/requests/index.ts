export { checkStates, checkStoredStates, checkVersions, overdueRequests } from './audit.ts';
export {
  type CandidateQuery,
  type FoundCandidates,
  findCandidateRequests,
  mostCompared,
} from './candidates.ts';
export { refusal as requestRefusal } from './codes.ts';
export { comments, readComment } from './comments.ts';
export {
  type Creation,
  createFree,
  createRequest,
  createRequests,
  type MadeTogether,
} from './create.ts';
export { checkDues } from './dues.ts';
export { requestEvidence } from './evidence.ts';
export { expirySweep } from './expire.ts';
export { entityOf, eventOf, hasNameOfItsOwn, requestKinds } from './kinds.ts';
export { listRequests, noFilters, type RequestFilters } from './list.ts';
export {
  type Contents,
  commentOnRequests,
  eraseRequests,
  lockRequests,
  moveRequests,
  noteOnRequests,
  type RequestErasure,
  statesText,
  stepTerms,
} from './move.ts';
export { moveAll } from './move-all.ts';
export { requestsOfMandate } from './of-mandate.ts';
export {
  emailsInUse,
  exportRequests,
  type PersonalRequests,
  personalRequests,
  requestsNeeded,
  type UnerasedRequest,
  unerasedRequests,
} from './personal.ts';
export { findReferences, type Referenced } from './references.ts';
export {
  joinRequests,
  lockPayable,
  namedRequests,
  pendingOfKind,
  requestsOfKind,
  versionOf,
} from './relations.ts';
export {
  amountDue,
  amountOn,
  collectMove,
  lastDueOf,
  type RequestKey,
  type RequestOf,
  type RequestRow,
  stateOn,
} from './row.ts';
export { type RequestSearch, searchRequests } from './search.ts';
export { sheetFields } from './sheet-fields.ts';
export {
  type Move,
  type RequestKind,
  type RequestState,
  type StateOf,
  type Transition,
  takesFoundMoney,
  transitionOf,
  transitions,
} from './states.ts';
export {
  findByCode,
  findRequests,
  lastLinkedDue,
  lockRequest,
  lookUpRequests,
  readRequests,
  requestColumns,
} from './store.ts';
export { findRequestsByWords, type RequestQuery } from './words/find.ts';
export { createWordIndexer, indexWords } from './words/indexer.ts';
export { type RequestTotal, totalOfRequests } from './words/total.ts';
export type { NamedRequests, RequestOrder } from './words/walk.ts';
