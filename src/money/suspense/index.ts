export { type CandidateSearch, findCandidates, isSearchable } from './candidates.ts';
export { checkAssigned, checkSuspense, suspenseEvidence } from './evidence.ts';
export { suspenseAssigning, suspenseList, suspenseReturning } from './operations.ts';
export {
  type AssignSuspense,
  assignSuspense,
  findUnmatched,
  listSuspense,
  oldestSuspense,
  openSuspense,
  type ReturnSuspense,
  type ReverseSuspense,
  readSuspense,
  returnSuspense,
  reverseSuspense,
  type SuspenseRow,
} from './resolve.ts';
export { type Suspend, type SuspenseReason, suspend, type UnmatchedMoney } from './suspend.ts';
