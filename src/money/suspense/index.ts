export { type CandidateSearch, findCandidates, isSearchable } from './candidates.ts';
export { checkAssigned, checkSuspense, suspenseEvidence } from './evidence.ts';
export {
  type AssignSuspense,
  assignSuspense,
  findSuspended,
  findUnmatched,
  listSuspense,
  openSuspense,
  type ReturnSuspense,
  readSuspense,
  returnSuspense,
  type SuspenseRow,
} from './resolve.ts';
export { type Suspend, type SuspenseReason, suspend, type UnmatchedMoney } from './suspend.ts';
