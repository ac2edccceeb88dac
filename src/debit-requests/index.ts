export { debitRequestForm } from './bank/schema.ts';
export { cardDebitForm } from './card/schema.ts';
export { type CheckDebit, type DebitChecks, debitChecks } from './check.ts';
export { type DebitKind, type DebitRow, type DebitRun, mandateKindOf } from './debit.ts';
export { eraseNow, erasureSweep, hasUndecided } from './erase-cards.ts';
export { type DebitView, debitsOnMandate, findDebitsByWords, withRuns } from './newest.ts';
export { bankDebitCreator, createDebitVerbs, type DebitParts, type DebitRequests } from './open.ts';
export { debitCanceling } from './operations.ts';
export { chargeSweep } from './runs/charge.ts';
export { claimRuns, releaseRuns } from './runs/claim.ts';
export {
  type DayTotal,
  endOfRun,
  mostCounted,
  type RunDay,
  type RunView,
  readDayTotals,
  readRunDays,
  readRunsOf,
} from './runs/days.ts';
export {
  checkCarried,
  checkOrders,
  checkRuns,
  checkRunTerms,
  runEvidence,
} from './runs/evidence.ts';
export { channelOf, type RunOutcome } from './runs/fact.ts';
export {
  accountCodes,
  type Handling,
  isOfAccount,
  type RefusalWords,
  type RejectCode,
  refusalWords,
  rejectCodeOf,
  rejectCodes,
  type StoredRefusal,
} from './runs/reject-codes.ts';
export {
  countUnsent,
  type FileKey,
  findLastRun,
  findNamedRuns,
  type NamedRun,
  readSubmitted,
  runsInNoFile,
  type SubmittedRow,
} from './runs/relations.ts';
export { type RescheduledRuns, rescheduleRuns } from './runs/reschedule.ts';
export {
  type Decision,
  foundSource,
  type RunKey,
  type RunPayment,
  readDecisions,
  readRunPayments,
  sourceRefOf,
} from './runs/runs.ts';
export { planRun, type Settled, type SettleRuns, settleRuns } from './runs/settle.ts';
export { debitStates } from './schema.ts';
export {
  type DebitTerms,
  earliestBankDue,
  firstOpenPeriod,
  type TermsOf,
  termsOfAccounts,
} from './timing.ts';
