export { checkAssigned, checkSuspense, suspenseEvidence } from './evidence.ts';
export {
  assignSuspense,
  findSuspended,
  findUnmatched,
  listSuspense,
  openSuspense,
  returnSuspense,
  type SuspenseRow,
} from './resolve.ts';
export { type Suspend, type SuspenseReason, suspend, type UnmatchedMoney } from './suspend.ts';
