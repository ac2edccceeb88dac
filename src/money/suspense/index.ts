export { type CandidateSearch, findCandidates, isSearchable } from './candidates.ts';
export { checkAssigned, checkSuspense, stampedSuspense, suspenseEvidence } from './evidence.ts';
export { suspenseAssigning, suspenseList, suspenseReturning } from './operations.ts';
export { countNotedSuspense, eraseSuspense, exportSuspense } from './personal.ts';
export {
  listSuspense,
  oldestSuspense,
  openSuspense,
  readSuspense,
  type SuspenseRow,
} from './reads.ts';
export {
  type AssignSuspense,
  assignSuspense,
  findAllUnmatched,
  findUnmatched,
  type ReturnSuspense,
  type ReverseSuspense,
  returnSuspense,
  reverseSuspense,
} from './resolve.ts';
export { type Suspend, type SuspenseReason, suspend, type UnmatchedMoney } from './suspend.ts';
