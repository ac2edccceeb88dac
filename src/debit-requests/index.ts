export { type DebitKind, type DebitRow, type DebitRun, mandateKindOf } from './debit.ts';
export { channelOf, type RunOutcome } from './fact.ts';
export { type DebitParts, type DebitRequests, openDebitRequests } from './open.ts';
export { type Handling, type RejectCode, rejectCodeOf, rejectCodes } from './reject-codes.ts';
export { debitRequestRoutes } from './routes.ts';
export { type Decision, readDecisions } from './runs.ts';
export { planRun, type Settled, type SettleRuns, settleRuns } from './settle.ts';
export type { DebitTerms, TermsOf } from './timing.ts';
