export { type Attempts, createAttemptVerbs, type InquiryResult } from './attempts.ts';
export { checkAttempts } from './audit.ts';
export type { BegunDebit } from './debit.ts';
export type { Confirmed, NetworkAttempt, NetworkPayment, NetworkVerbs } from './network.ts';
export { chargesNeeded, eraseAttempts, exportAttempts } from './personal.ts';
export { attemptsDone } from './relations.ts';
export type { PayOutcome } from './settle.ts';
export { stampedAttempts, stampedNetworkCharges, stampedReferences } from './stamp.ts';
export {
  attemptsOn,
  countOpenAttempts,
  type OpenAttempt,
  oldestOpenAttempt,
  openAttemptsOf,
  type TriedRow,
} from './store.ts';
export { stampedHolds } from './store-holds.ts';
export { type ListedCharge, listedBetween, readListed } from './store-listed.ts';
export { TriesPaused, type TryLimits } from './tries.ts';
export type { CardVelocity } from './velocity.ts';
